//! Policy documents from their parts, right and wrong ones.

use arbitrary::Unstructured;

use super::{pick, up_to};

/// What stands between documents that are loaded together; no TOML holds it.
pub(super) const BETWEEN: char = '\u{1e}';

/// The most documents, and parts of one.
const DOCUMENTS_MAX: usize = 2;
const PARTS_MAX: usize = 5;
const RULES_MAX: usize = 3;

/// A rule past the limit of a rule, in bytes.
const LONG: usize = 5_000;

const HEADS: &[&str] = &[
    "schema = 'gatefold/policy/v1'\n",
    "schema = 'gatefold/policy/v1'\n",
    "schema = 'gatefold/policy/v1'\nmode = 'default'\n",
    "schema = 'gatefold/policy/v1'\nmode = 'bypass'\n",
    "schema = 'gatefold/policy/v1'\nmode = 'plan'\n",
    "schema = 'gatefold/policy/v1'\nmode = 'dont_ask'\n",
    "schema = 'gatefold/policy/v1'\nunstated = 'allow'\n",
    "schema = 'gatefold/policy/v1'\nmode = 'acceptEdits'\n",
    "schema = 'gatefold/policy/v2'\n",
    "mode = 'plan'\n",
    "",
];

const PARTS: &[&str] = &[
    "[limits]\nedit_cap = 1\nline_bytes = 100\n",
    "[limits]\nedit_cap = 4\n",
    "[limits]\nforbid_modes = ['bypass']\n",
    "[limits]\nforbid_modes = ['plan']\n",
    "[egress]\nhosts = ['example.com', '*.example.org']\n",
    "[egress]\nhosts = ['https://example.com/']\n",
    "[tools.RunIt]\nkind = 'shell'\n",
    "[tools.RunIt]\nkind = 'other'\n",
    "[tools.Bash]\nkind = 'other'\n",
    "[protected]\nadd = [{ path = '/infra/**', why = 'it is live' }]\n",
    "[protected]\nadd = [{ path = '/', why = 'all of it' }]\n",
    "[agents.'']\nrules.user.deny = ['Bash']\n",
    "[agents.reviewer]\nrules.session.deny = ['Edit']\n",
    "[[test]]\ncall = 'Bash(git push origin main)'\nwant = 'deny'\n",
    "[[test]]\ncall = 'Read'\nwant = 'ask'\n",
    "[[test]]\ncall = 'WebFetch(notes)'\nwant = 'allow'\n",
    "[rules.user]\ndenny = ['Bash(rm *)']\n",
    "[rules.user]\ndeny = 'Bash(rm *)'\n",
    "[rules.user\n",
    "# é\u{2028}\t\n",
];

const LAYERS: &[&str] = &[
    "org",
    "policy",
    "rules.user",
    "rules.project",
    "rules.local",
    "rules.session",
];
const EFFECTS: &[&str] = &["deny", "ask", "allow"];

const RULES: &[&str] = &[
    "Bash",
    "Edit",
    "Bash(git status)",
    "Bash(git push *)",
    "Bash(git push origin *)",
    "Bash(rm -rf /:*)",
    "Bash(npm run build*)",
    "Bash(while *)",
    "Bash(sudo *)",
    "Bash(echo $HOME)",
    "Bash(é *)",
    "Read(/src/**)",
    "Edit(//etc/**)",
    "WebFetch(domain:example.com)",
    "mcp__github",
    "mcp__github__get_issue",
    "mcp__a__b__c",
    "Task(subagent_type:Explore)",
    "WebFech",
    "(rm *)",
    "Bash(rm *",
    "Edit, Write",
    "mcp_github",
    "Web*",
    "mcp__",
    "WebSearch(x)",
    "Read($HOME/.ssh/**)",
    "Bash(curl \"$URL\")",
    "Bash(FOO=1 rm *)",
    "WebFetch(https://example.com/*)",
    "Task(Explore)",
];

/// One or two documents.
pub fn document(u: &mut Unstructured<'_>) -> String {
    let more = up_to(u, DOCUMENTS_MAX - 1);
    let mut text = one(u);
    for _ in 0..more {
        text.push(BETWEEN);
        text.push_str(&one(u));
    }
    text
}

fn one(u: &mut Unstructured<'_>) -> String {
    let mut text = pick(u, HEADS).to_owned();
    for _ in 0..up_to(u, PARTS_MAX) {
        if up_to(u, 2) == 0 {
            text.push_str(pick(u, PARTS));
        } else {
            let (layer, effect) = (pick(u, LAYERS), pick(u, EFFECTS));
            let rules: Vec<_> = (0..=up_to(u, RULES_MAX)).map(|_| rule(u)).collect();
            text.push_str(&format!("[{layer}]\n{effect} = [{}]\n", rules.join(", ")));
        }
    }
    text
}

/// A rule, with a reason or without, one in many too long.
fn rule(u: &mut Unstructured<'_>) -> String {
    let rule = pick(u, RULES);
    match up_to(u, 31) {
        30 => format!("{{ rule = '{rule}', why = 'so' }}"),
        31 => format!("'{}'", "a".repeat(LONG)),
        _ => format!("'{rule}'"),
    }
}
