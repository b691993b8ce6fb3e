//! Cedar: allows and asks are `permit`, denies `forbid`; which rules decided is read from the
//! diagnostics. Three actions, so that rules about other kinds of calls fail early. No schema.

use std::fmt::Write;

use cedar_policy::{
    Authorizer, Context, Entities, EntityId, EntityUid, PolicySet, RestrictedExpression,
};
use gatefold_benches::workload::{Answer, Effect, Request, Rule, Shape, What, best};

pub struct Cedar {
    authorizer: Authorizer,
    policies: PolicySet,
    entities: Entities,
    effects: Vec<Effect>,
}

impl Cedar {
    pub fn new(rules: &[Rule]) -> Self {
        let mut policies = String::new();
        for rule in rules {
            let effect = if rule.effect == Effect::Deny {
                "forbid"
            } else {
                "permit"
            };
            let _ = match &rule.shape {
                Shape::Tool { .. } => writeln!(
                    policies,
                    r#"{effect}(principal, action == Action::"tool", resource == Tool::{:?});"#,
                    rule.text()
                ),
                Shape::Words(words) => writeln!(
                    policies,
                    r#"{effect}(principal, action == Action::"line", resource) when {{ context.line like {:?} }};"#,
                    words.join(" ") + " *"
                ),
                // Here a star crosses slashes, which comes to the same for these shapes.
                Shape::Path { folder, ending } => writeln!(
                    policies,
                    r#"{effect}(principal, action == Action::"path", resource) when {{ context.path like {:?} }};"#,
                    format!("{folder}*{ending}")
                ),
            };
        }
        Self {
            authorizer: Authorizer::new(),
            policies: policies.parse().expect("policies"),
            entities: Entities::empty(),
            effects: rules.iter().map(|rule| rule.effect).collect(),
        }
    }

    pub fn request(request: &Request) -> cedar_policy::Request {
        let text = RestrictedExpression::new_string;
        let (action, context) = match &request.what {
            What::Tool { .. } => ("tool", None),
            What::Line(words) => ("line", Some(("line", text(words.join(" ") + " ")))),
            What::Path(path) => ("path", Some(("path", text(path.clone())))),
        };
        let context = context.map(|(key, value)| (key.to_owned(), value));
        cedar_policy::Request::new(
            entity("Agent", "main"),
            entity("Action", action),
            entity("Tool", &request.tool),
            Context::from_pairs(context).expect("a context"),
            None,
        )
        .expect("a request")
    }

    pub fn decide(&self, request: &cedar_policy::Request) -> Answer {
        let response = self
            .authorizer
            .is_authorized(request, &self.policies, &self.entities);
        let reasons = response.diagnostics().reason();
        // Policies are named `policy0`, `policy1` … in their order.
        let rules = reasons.map(|id| {
            let id: &str = id.as_ref();
            id["policy".len()..].parse().expect("a number")
        });
        rules.fold(None, |found, at: usize| {
            best(found, Some((self.effects[at], at)))
        })
    }
}

fn entity(kind: &str, id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(kind.parse().expect("a name"), EntityId::new(id))
}
