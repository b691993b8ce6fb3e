//! `Pass::save` and `Pass::load`: a pass that waits for a person, sealed and opened, beside
//! `serde_json` writing and reading the same JSON as a value.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gatefold::gate::{Answer, Args, Call, GateInput, Pass, RuleRuling, SealKey, Seat, Step, begin};
use serde_json::Value;

/// A pass that a rule asked about, at the question to the person.
fn waiting() -> Pass {
    let args = Args::parse(r#"{"command":"git push origin main","description":"publish it"}"#);
    let call = Call {
        id: "toolu_1".into(),
        tool: "Bash".into(),
        args: args.expect("args"),
    };
    let input = GateInput::builder(call)
        .wire(Seat::Rules)
        .wire(Seat::Resolve);
    let Step::Need(pass) = begin(input.build().expect("an input")) else {
        panic!("it asks the rules");
    };
    let gatefold::gate::Question::Rules(question) = pass.question() else {
        panic!("it asks the rules");
    };
    let asks = question.judge(|_, _| (RuleRuling::Ask, Some("a person should know".into()), None));
    match pass.answer(Answer::Rules(Ok(asks))) {
        Ok(Step::Need(pass)) => pass,
        _ => panic!("it asks a person"),
    }
}

fn saved(criterion: &mut Criterion) {
    let key = SealKey::new(&[7; 32]).expect("a key");
    let pass = waiting();
    let sealed = pass.save(&key).expect("saved");
    let opened = Pass::load(&sealed, &key).expect("opened");
    assert_eq!(opened.save(&key).expect("saved"), sealed);
    println!(
        "a pass that waits for a person: {} bytes sealed",
        sealed.len()
    );
    let (_, body) = sealed.split_once('\n').expect("a header");
    let value: Value = serde_json::from_str(body).expect("JSON");

    let mut group = criterion.benchmark_group("saved");
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_millis(1_500));
    group.sample_size(30);
    group.throughput(Throughput::Bytes(
        u64::try_from(sealed.len()).expect("fits"),
    ));
    group.bench_function("serde_json_value", |bencher| {
        bencher.iter(|| {
            let text = serde_json::to_string(black_box(&value)).expect("JSON");
            serde_json::from_str::<Value>(&text).expect("JSON")
        });
    });
    group.bench_function("gatefold", |bencher| {
        bencher.iter(|| Pass::load(&black_box(&pass).save(&key).expect("saved"), &key));
    });
    group.finish();
}

criterion_group!(benches, saved);
criterion_main!(benches);
