//! casbin, with a function of its own for beginnings and endings, which serves it far better than
//! its globs, compiled anew at each comparison. Which rules decided is read from `enforce_ex`.

use casbin::function_map::{OperatorFunction, dynamic_to_str};
use casbin::{CoreApi, DefaultModel, Enforcer, MemoryAdapter, MgmtApi};
use gatefold_benches::workload::{Answer, Effect, Request, Rule, Shape, What, best};

const MODEL: &str = r#"
[request_definition]
r = kind, text

[policy_definition]
p = id, kind, begins, ends, eft

[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))

[matchers]
m = r.kind == p.kind && ((p.kind == "tool" && r.text == p.begins) || (p.kind != "tool" && affixed(r.text, p.begins, p.ends)))
"#;

pub struct Casbin {
    enforcer: Enforcer,
    effects: Vec<Effect>,
}

impl Casbin {
    pub fn new(rules: &[Rule]) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().expect("a runtime");
        let enforcer = runtime.block_on(async {
            let model = DefaultModel::from_str(MODEL).await.expect("a model");
            let mut enforcer = Enforcer::new(model, MemoryAdapter::default())
                .await
                .expect("an enforcer");
            let affixed = OperatorFunction::Arg3(|text, begins, ends| {
                let text = dynamic_to_str(&text);
                let begins = text.starts_with(&*dynamic_to_str(&begins));
                (begins && text.ends_with(&*dynamic_to_str(&ends))).into()
            });
            enforcer.add_function("affixed", affixed);
            let policies = rules.iter().enumerate().map(policy).collect();
            enforcer.add_policies(policies).await.expect("policies");
            enforcer
        });
        Self {
            enforcer,
            effects: rules.iter().map(|rule| rule.effect).collect(),
        }
    }

    pub fn request(request: &Request) -> (&'static str, String) {
        match &request.what {
            What::Tool { .. } => ("tool", request.tool.clone()),
            What::Line(words) => ("line", words.join(" ") + " "),
            What::Path(path) => ("path", path.clone()),
        }
    }

    pub fn decide(&self, (kind, text): &(&'static str, String)) -> Answer {
        let (_, reasons) = self
            .enforcer
            .enforce_ex((*kind, text.as_str()))
            .expect("an answer");
        let rules = reasons
            .iter()
            .map(|rule| rule[0].parse().expect("a number"));
        rules.fold(None, |found, at: usize| {
            best(found, Some((self.effects[at], at)))
        })
    }
}

fn policy((at, rule): (usize, &Rule)) -> Vec<String> {
    let (kind, begins, ends) = match &rule.shape {
        Shape::Tool { .. } => ("tool", rule.text(), String::new()),
        Shape::Words(words) => ("line", words.join(" ") + " ", String::new()),
        Shape::Path { folder, ending } => ("path", folder.clone(), ending.clone()),
    };
    let effect = if rule.effect == Effect::Deny {
        "deny"
    } else {
        "allow"
    };
    vec![at.to_string(), kind.into(), begins, ends, effect.into()]
}
