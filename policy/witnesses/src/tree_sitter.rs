//! `tree-sitter-bash`: a grammar for editors, which reads on behind what it does not understand.

use tree_sitter::{Node, Parser};

use crate::{Seen, literal};

/// The simple commands of a line, if it is read without an error.
///
/// # Panics
/// If the grammar is of another version than the parser.
pub fn commands(line: &str) -> Option<Vec<Seen>> {
    let mut parser = Parser::new();
    let language = tree_sitter_bash::LANGUAGE.into();
    parser.set_language(&language).expect("a grammar");
    let tree = parser.parse(line, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut seen = Vec::new();
    let mut nodes = vec![tree.root_node()];
    while let Some(node) = nodes.pop() {
        seen.extend(command(node, line));
        nodes.extend(children(node));
    }
    Some(seen)
}

fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let count = u32::try_from(node.child_count()).unwrap_or(u32::MAX);
    (0..count)
        .filter_map(|index| node.child(usize::try_from(index).ok()?))
        .collect()
}

/// The words of a node, if it is a simple command.
fn command(node: Node<'_>, line: &str) -> Option<Seen> {
    let source = |node: Node<'_>| line.get(node.byte_range()).unwrap_or_default();
    match node.kind() {
        "command" => {
            let mut words = Vec::new();
            for child in children(node) {
                match child.kind() {
                    "variable_assignment" if words.is_empty() => {}
                    "file_redirect" | "heredoc_redirect" | "herestring_redirect" => {}
                    _ => words.push(literal(source(child))),
                }
            }
            (!words.is_empty()).then_some(Seen(words))
        }
        "declaration_command" | "unset_command" => {
            let name = source(node).split_ascii_whitespace().next()?;
            Some(Seen(vec![Some(name.to_owned()), None]))
        }
        "test_command" if source(node).starts_with("[ ") => {
            Some(Seen(vec![Some("[".to_owned()), None]))
        }
        _ => None,
    }
}
