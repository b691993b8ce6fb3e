//! Rego in regorus, on its virtual machine, in two forms: rules as a list in the data, which is how
//! it is written at first, and rules as maps with their keys made of the call, which is an index by
//! hand.

use gatefold_benches::workload::{Answer, Effect, Request, Rule, Shape, What};
use regorus::languages::rego::compiler::Compiler;
use regorus::rvm::vm::RegoVM;
use regorus::{Engine, PolicyLengthConfig, Value};
use serde_json::{Map, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    List,
    Maps,
}

const LIST: &str = r#"
hits contains {"id": r.id, "effect": r.effect} if { input.kind == "tool"; some r in data.tools; r.name == input.tool }
hits contains {"id": r.id, "effect": r.effect} if { input.kind == "line"; some r in data.lines; startswith(input.line, r.begins) }
hits contains {"id": r.id, "effect": r.effect} if { input.kind == "path"; some r in data.paths; startswith(input.path, r.begins); endswith(input.path, r.ends) }
"#;

const MAPS: &str = r#"
hits contains h if { input.kind == "tool"; h := data.tools[input.tool] }
hits contains h if { input.kind == "line"; some n in [2, 3]; h := data.lines[concat(" ", array.slice(input.words, 0, n))] }
hits contains h if {
    input.kind == "path"
    names := split(input.path, "/")
    dots := split(input.path, ".")
    some ending in ["", concat("", [".", dots[count(dots) - 1]])]
    some n in numbers.range(0, count(names) - 1)
    h := data.paths[concat("", [concat("/", array.concat(array.slice(names, 0, n), [""])), "|", ending])]
}
"#;

const DECISION: &str = r#"
of(effect) := {h.id | some h in hits; h.effect == effect}
default decision := {"effect": "none", "id": 0}
decision := {"effect": "deny", "id": min(of("deny"))} if { count(of("deny")) > 0 }
else := {"effect": "ask", "id": min(of("ask"))} if { count(of("ask")) > 0 }
else := {"effect": "allow", "id": min(of("allow"))} if { count(of("allow")) > 0 }
"#;

const ENTRY: &str = "data.gate.decision";

pub struct Rego {
    machine: RegoVM,
}

impl Rego {
    pub fn new(form: Form, rules: &[Rule]) -> Self {
        let hits = match form {
            Form::List => LIST,
            Form::Maps => MAPS,
        };
        let policy = format!("package gate\nimport rego.v1\n{hits}{DECISION}");
        let data = match form {
            Form::List => list(rules),
            Form::Maps => maps(rules),
        };
        let mut engine = Engine::new();
        engine.set_policy_length_config(PolicyLengthConfig {
            max_col: 4096.try_into().expect("above 0"),
            max_file_bytes: (1 << 20).try_into().expect("above 0"),
            max_lines: 1_000.try_into().expect("above 0"),
        });
        engine
            .add_policy("gate.rego".into(), policy)
            .expect("a policy");
        engine.add_data_json(&data).expect("data");
        let compiled = engine
            .compile_with_entrypoint(&ENTRY.into())
            .expect("compiles");
        let program = Compiler::compile_from_policy(&compiled, &[ENTRY]).expect("a program");
        let mut machine = RegoVM::new();
        machine.load_program(program);
        let data = Value::from_json_str(&data).expect("data");
        machine.set_data(data).expect("no conflict");
        machine.set_max_instructions(usize::MAX);
        Self { machine }
    }

    pub fn request(request: &Request) -> Value {
        let input = match &request.what {
            What::Tool { .. } => json!({ "kind": "tool", "tool": request.tool }),
            What::Line(words) => {
                json!({ "kind": "line", "line": words.join(" ") + " ", "words": words })
            }
            What::Path(path) => json!({ "kind": "path", "path": path }),
        };
        Value::from_json_str(&input.to_string()).expect("an input")
    }

    pub fn decide(&mut self, request: &Value) -> Answer {
        self.machine.set_input(request.clone());
        let decision = self.machine.execute().expect("a decision");
        let told = decision["effect"].as_string().expect("a word");
        let effect = Effect::ALL
            .into_iter()
            .find(|of| of.word() == told.as_ref())?;
        let id = decision["id"].as_u64().expect("a number");
        Some((effect, usize::try_from(id).expect("fits")))
    }
}

fn list(rules: &[Rule]) -> String {
    let (mut tools, mut lines, mut paths) = (Vec::new(), Vec::new(), Vec::new());
    for (id, rule) in rules.iter().enumerate() {
        let effect = rule.effect.word();
        match &rule.shape {
            Shape::Tool { .. } => {
                tools.push(json!({ "id": id, "effect": effect, "name": rule.text() }));
            }
            Shape::Words(words) => {
                lines.push(json!({ "id": id, "effect": effect, "begins": words.join(" ") + " " }));
            }
            Shape::Path { folder, ending } => {
                paths.push(json!({ "id": id, "effect": effect, "begins": folder, "ends": ending }));
            }
        }
    }
    json!({ "tools": tools, "lines": lines, "paths": paths }).to_string()
}

fn maps(rules: &[Rule]) -> String {
    let (mut tools, mut lines, mut paths) = (Map::new(), Map::new(), Map::new());
    for (id, rule) in rules.iter().enumerate() {
        let held = json!({ "id": id, "effect": rule.effect.word() });
        match &rule.shape {
            Shape::Tool { .. } => tools.insert(rule.text(), held),
            Shape::Words(words) => lines.insert(words.join(" "), held),
            Shape::Path { folder, ending } => paths.insert(format!("{folder}|{ending}"), held),
        };
    }
    json!({ "tools": tools, "lines": lines, "paths": paths }).to_string()
}
