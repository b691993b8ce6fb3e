#!/bin/bash -eu
# For ClusterFuzzLite and OSS-Fuzz alike: every target with its seeds, its dictionary and its limits.
cd "$SRC/gatefold/fuzz"

cargo fuzz build --fuzz-dir . -O --debug-assertions
built="target/x86_64-unknown-linux-gnu/release"

for file in fuzz_targets/*.rs; do
    target="$(basename "$file" .rs)"
    # The canary must crash, which is for us to see and not for them.
    [ "$target" != canary ] || continue
    cp "$built/$target" "$OUT/"
    cargo run --quiet --example corpus -- unpack "$target" "corpus/$target"
    (cd "corpus/$target" && zip -qr "$OUT/${target}_seed_corpus.zip" .)
    [ ! -f "dictionaries/$target.dict" ] || cp "dictionaries/$target.dict" "$OUT/"
    longest="$(cargo run --quiet --example corpus -- longest "$target")"
    printf '[libfuzzer]\nmax_len = %s\ntimeout = 5\n' "$longest" >"$OUT/$target.options"
done
