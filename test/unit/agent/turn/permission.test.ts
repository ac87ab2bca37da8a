import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decidePermission, grantKey, type PermissionRules, provesReading, type ReadyPlan } from '../../../../src/agent/turn/permission.ts';
import { withRule } from '../../../../src/context/permission/prefix-rule.ts';
import type { PermissionRule, PermissionSettings } from '../../../../src/domain/config/permission-rule.ts';
import { type SandboxNeeds, sandboxNeeds } from '../../../../src/domain/config/sandbox-mode.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import { type PermissionMode, permissionModes } from '../../../../src/domain/permission.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';

const CWD = '/ws/proj';
const noRules: PermissionSettings = { allow: [], ask: [], deny: [], readOnlyCommands: 'ask', sandboxedCommands: 'ask' };

const rulesOf = (wish: Partial<PermissionRules> & { readonly rules?: Partial<PermissionSettings> } = {}): PermissionRules => ({
  ...{ mode: 'ask', allowed: new Set<string>(), grants: new Set<string>(), onlyReads: false, trustsFolder: true },
  ...wish,
  settings: { ...noRules, ...wish.rules },
});

const planOf = (wish: Partial<ReadyPlan>): ReadyPlan => ({
  ...{ kind: 'ready', access: 'write', path: `${CWD}/a.txt`, place: 'inside', title: 't', preview: 'p', cwd: CWD },
  run: async () => ({ ok: true, content: '', note: sameInBoth('') }),
  ...wish,
});

async function runOf(text: string, wish: Partial<ReadyPlan> = {}): Promise<ReadyPlan> {
  const command = {
    text,
    parsed: await parseShell(text),
    needs: undefined,
    isHeld: false,
    scripts: undefined,
    freeToRead: async (paths: readonly string[]) => paths,
    irreversible: async () => undefined,
  };
  const { path: _path, ...plan } = planOf({ access: 'run', place: 'none', ...wish });
  return { ...plan, path: undefined, command };
}

const later = { caution: { why: sameInBoth('a shell runs it when it starts'), eachTime: true } };

describe('what can make something run later', () => {
  test.each(permissionModes.filter((mode) => mode !== 'bypass'))(
    'is never changed unasked in mode %s, whatever was allowed before',
    (mode) => {
      const plan = planOf(later);
      const everything: PermissionRules = rulesOf({
        mode,
        allowed: new Set(['write_file']),
        grants: new Set(['write inside', grantKey('write_file', plan, { trustsFolder: true })]),
        rules: { allow: [{ tool: '*' }, { tool: 'write_file', path: '**' }, { tool: 'write_file', file: `${CWD}/a.txt` }] },
      });
      const decision = decidePermission('write_file', plan, everything);
      if (mode === 'read-only' || mode === 'plan') expect(decision.kind).toBe('deny');
      else expect(decision).toEqual({ kind: 'ask', why: later.caution.why, eachTime: true, offers: [] });
    },
  );

  test('is changed in bypass, which asks about nothing', () => {
    expect(decidePermission('write_file', planOf(later), rulesOf({ mode: 'bypass' })).kind).toBe('allow');
  });
});

describe('plan mode', () => {
  const rules: Partial<PermissionSettings> = { allow: [{ tool: '*' }], sandboxedCommands: 'run' };
  const wide = { allowed: new Set(['run_command', 'write_file']), rules };

  test('refuses, by its name, what is not proven to only read, whatever was allowed', async () => {
    for (const plan of [planOf({}), planOf({ place: 'temporary' }), await runOf('touch a')])
      expect(decidePermission('run_command', plan, rulesOf({ ...wide, mode: 'plan' }))).toMatchObject({
        kind: 'deny',
        why: expect.stringContaining('the permission mode is plan'),
      });
  });

  test('lets pass what only reads as ask does, and nothing beyond', async () => {
    const reading = await runOf('cat a.txt');
    const held = { ...reading, ...(reading.command && { command: { ...reading.command, isHeld: true } }) };
    const page = planOf({ access: 'read', place: 'none', host: 'example.com' });
    const ownRules: readonly Partial<PermissionSettings>[] = [
      ...[{}, { readOnlyCommands: 'run' } as const],
      ...[{ ask: [{ tool: 'run_command' }] }, { deny: [{ tool: '*' }] }],
    ];
    const plans = [reading, held, page, planOf({ access: 'read' }), planOf({ access: 'read', place: 'outside' }), planOf(later)];
    for (const plan of plans)
      for (const onlyReads of [true, false])
        for (const own of ownRules) {
          const [inPlan, asks] = (['plan', 'ask'] as const).map((mode) =>
            decidePermission('run_command', plan, rulesOf({ mode, onlyReads, rules: own })),
          );
          if (plan.access === 'read' || (onlyReads && plan.access === 'run')) expect(inPlan).toEqual(asks);
          else expect(inPlan?.kind).toBe('deny');
        }
    expect(decidePermission('run_command', held, rulesOf({ mode: 'plan', onlyReads: true })).kind).toBe('allow');
  });
});

describe('a PreToolUse hook', () => {
  const allows = { hook: { decision: 'allow', reason: undefined } } as const;
  const asks = { hook: { decision: 'ask', reason: 'at night' } } as const;
  const decide = (hook: Pick<PermissionRules, 'hook'>, wish: Parameters<typeof rulesOf>[0] = {}, plan: Partial<ReadyPlan> = {}) =>
    decidePermission('write_file', planOf(plan), { ...rulesOf(wish), ...hook });

  test('that allows a call is as strong as a rule that does', () => {
    expect(decide({}).kind).toBe('ask');
    expect(decide(allows).kind).toBe('allow');
    expect(decide(allows, {}, { place: 'outside' }).kind).toBe('allow');
  });

  test('never beats a deny rule, an ask rule, the mode read-only, or what is protected', () => {
    const path = [{ tool: 'write_file', path: '**' }];
    expect(decide(allows, { rules: { deny: path } }).kind).toBe('deny');
    expect(decide(allows, { rules: { ask: path } }).kind).toBe('ask');
    for (const mode of ['read-only', 'plan'] as const) expect(decide(allows, { mode }).kind).toBe('deny');
    expect(decide(allows, {}, later)).toMatchObject({ kind: 'ask', why: later.caution.why });
  });

  test('that asks is heard in every mode and over every yes, but not over a no', () => {
    const why = 'a PreToolUse hook of yours says to ask: at night';
    const yes = { allowed: new Set(['write_file']), rules: { allow: [{ tool: '*' }] } };
    for (const mode of ['ask', 'accept-edits', 'bypass'] as const)
      expect(decide(asks, { ...yes, mode })).toMatchObject({ kind: 'ask', why: { en: why } });
    expect(decide(asks, { rules: { deny: [{ tool: '*' }] } }).kind).toBe('deny');
  });
});

describe('without rules', () => {
  test.each<[PermissionMode, Partial<ReadyPlan>, string]>([
    ['ask', { access: 'read' }, 'allow'],
    ['ask', { access: 'read', place: 'own_body' }, 'allow'],
    ['ask', { access: 'read', place: 'outside' }, 'ask'],
    ['ask', { access: 'read', caution: { why: sameInBoth('secrets'), eachTime: false } }, 'ask'],
    ['accept-edits', { access: 'read', caution: { why: sameInBoth('secrets'), eachTime: false } }, 'ask'],
    ['read-only', { access: 'read', caution: { why: sameInBoth('secrets'), eachTime: false } }, 'ask'],
    ['ask', { access: 'write' }, 'ask'],
    ['ask', { access: 'run', place: 'none' }, 'ask'],
    ['accept-edits', { access: 'write' }, 'allow'],
    ['accept-edits', { access: 'write', place: 'outside' }, 'ask'],
    ['accept-edits', { access: 'run', place: 'none' }, 'ask'],
    ['read-only', { access: 'write' }, 'deny'],
    ['read-only', { access: 'run', place: 'none' }, 'deny'],
    ['bypass', { access: 'run', place: 'none' }, 'allow'],
  ])('%s: %j is %s', (mode, plan, kind) => {
    expect(decidePermission('some_tool', planOf(plan), rulesOf({ mode })).kind).toBe(kind);
  });
});

describe('"for the rest of this session"', () => {
  test('covers a command by its bytes: one with the same picture asks', async () => {
    const seen = await runOf('echo \u202e x', { preview: 'echo \\u{202e} x' });
    const alike = await runOf('echo \\u{202e} x', { preview: 'echo \\u{202e} x' });
    const rules = rulesOf({ grants: new Set([grantKey('run_command', seen, rulesOf())]) });
    expect([seen, alike].map((plan) => decidePermission('run_command', plan, rules).kind)).toEqual(['allow', 'ask']);
  });

  test('covers edits in the working folder, and nothing outside of it, nothing that runs later, no command', async () => {
    const rules = rulesOf({ grants: new Set([grantKey('write_file', planOf({}), rulesOf())]) });
    const others = [
      planOf({ place: 'outside', path: '/etc/x' }),
      planOf(later),
      await runOf('touch a'),
      planOf({ access: 'read', place: 'outside' }),
    ];
    expect(decidePermission('edit_file', planOf({ path: `${CWD}/b` }), rules).kind).toBe('allow');
    expect(others.map((plan) => decidePermission('edit_file', plan, rules).kind)).toEqual(['ask', 'ask', 'ask', 'ask']);
  });

  test('covers a single file where the working folder is the home or above it', () => {
    const home = { trustsFolder: false };
    const rules = rulesOf({ ...home, grants: new Set([grantKey('write_file', planOf({}), home)]) });
    expect(decidePermission('write_file', planOf({}), rules).kind).toBe('allow');
    expect(decidePermission('write_file', planOf({ path: `${CWD}/b` }), rules)).toMatchObject({ kind: 'ask', session: 'exactly this' });
  });

  test('is not offered for a change outside of the working folder, nor where an ask rule says so', () => {
    expect(decidePermission('write_file', planOf({ place: 'outside' }), rulesOf())).toEqual({ kind: 'ask', offers: [] });
    const rules = rulesOf({ rules: { ask: [{ tool: 'write_file', path: '*.txt' }], allow: [{ tool: 'write_file', path: '*.txt' }] } });
    expect(decidePermission('write_file', planOf({}), rules)).toEqual({
      ...{ kind: 'ask', why: expect.objectContaining({ en: 'a rule of yours says to ask' }), eachTime: true, offers: [] },
    });
  });
});

describe('rules', () => {
  const decide = async (text: string, rules: Partial<PermissionSettings>, wish: Partial<PermissionRules> = {}) =>
    decidePermission('run_command', await runOf(text), rulesOf({ ...wish, rules })).kind;

  test('deny wins over allow, every mode and every flag, wherever in a command the program stands [S-12]', async () => {
    const rules = { deny: [{ tool: 'run_command', prefix: 'curl' }], allow: [{ tool: 'run_command', prefix: 'curl' }] };
    const hidden = [
      'curl x',
      "cu''rl x",
      '\\curl x',
      '/usr/bin/curl x',
      'env A=1 curl x',
      'timeout 5 curl x',
      `${'true; '.repeat(60)}curl x`,
      'echo $(curl x)',
      'cat <(curl x)',
      "sh -c 'curl x'",
      'bash -lc "true && curl x"',
      'find . -exec curl {} ;',
      'ls | xargs curl',
      'if true; then curl x; fi',
      'f() { curl x; }; f',
      'A=1 curl x',
      'eval curl x',
      'x & curl y',
      'cat <<EOF\n$(curl x)\nEOF',
    ];
    for (const text of hidden)
      for (const mode of permissionModes)
        expect([text, mode, await decide(text, rules, { mode, allowed: new Set(['run_command']) })]).toEqual([text, mode, 'deny']);
    for (const text of ['$(echo curl) x', '$C x', 'eval "$X"', `echo "\${x@P}"`, 'echo "$(', 'sh -c "$x"'])
      expect([text, await decide(text, rules, { mode: 'bypass' }), await decide(text, rules)]).toEqual([text, 'deny', 'ask']);
    expect([await decide('echo curl', rules, { mode: 'bypass' }), await decide('git log --grep curl', rules)]).toEqual(['allow', 'ask']);
  });

  test('what may hide a program runs by no yes while a rule that forbids or asks names one [S-12]', async () => {
    const unclear = [
      '((curl x))',
      '[[ a -eq $x ]]',
      'echo "$(',
      '$C x',
      'command $C x',
      'env A=1 c{u,a}rl x',
      'find . -exec $C ;',
      'timeout 5 $C',
      "sh -c 'a &> b'",
      'alias c=curl',
      'echo curl | sh',
      'env -S "curl\\_x"',
      '$(echo curl)',
    ];
    const named = [{ tool: 'run_command', prefix: 'curl' }];
    const wholly = [{ tool: 'run_command', command: 'curl' }];
    for (const command of unclear) {
      const plan = await runOf(command);
      const allow = [{ tool: 'run_command', command }];
      for (const rules of [
        { allow, deny: named },
        { allow, ask: named },
        { allow, deny: wholly },
      ])
        for (const mode of ['ask', 'accept-edits'] as const) {
          const yes = {
            mode,
            rules,
            allowed: new Set(['run_command']),
            onlyReads: true,
            hook: { decision: 'allow', reason: undefined } as const,
          };
          const grants = new Set([grantKey('run_command', plan, rulesOf(yes))]);
          expect([command, decidePermission('run_command', plan, rulesOf({ ...yes, grants }))]).toEqual([
            command,
            expect.objectContaining({ kind: 'ask', eachTime: true, offers: [] }),
          ]);
        }
      expect(await decide(command, { allow, deny: named }, { mode: 'bypass' })).toBe('deny');
      // A rule that names no program changes nothing.
      expect(await decide(command, { allow, deny: [{ tool: 'run_command', path: 'letters/**' }] })).toBe('allow');
    }
    for (const command of ['command -v $C', 'echo $C', '[[ -f $C ]] && cat $C'])
      expect([command, await decide(command, { deny: named }, { allowed: new Set(['run_command']) })]).toEqual([command, 'allow']);
  });

  test('deny and ask for a path hold also for another spelling of it, allow only for this one', () => {
    const write = (path: string, rules: Partial<PermissionSettings>) =>
      decidePermission('write_file', planOf({ path }), rulesOf({ rules })).kind;
    expect(write(`${CWD}/Secrets/x`, { deny: [{ tool: '*', path: 'secrets/**' }] })).toBe('deny');
    expect(write(`${CWD}/Docs/x`, { allow: [{ tool: 'write_file', path: 'docs/**' }] })).toBe('ask');
    expect(write(`${CWD}/docs/a/b/x.md`, { allow: [{ tool: 'write_file', path: 'docs/**' }] })).toBe('allow');
    expect(write(`${CWD}/docs-evil/x.md`, { allow: [{ tool: 'write_file', path: 'docs/**' }] })).toBe('ask');
    expect(write('/ws/other/docs/x', { allow: [{ tool: 'write_file', path: 'docs/**' }] })).toBe('ask');
    expect(write(`${CWD}/*`, { allow: [{ tool: 'write_file', file: `${CWD}/*` }] })).toBe('allow');
    expect(write(`${CWD}/x`, { allow: [{ tool: 'write_file', file: `${CWD}/*` }] })).toBe('ask');
  });

  test('an exact command is allowed byte for byte, and in its folder [S-13]', async () => {
    const rules = { allow: [{ tool: 'run_command', command: 'npm test && rm -rf out', folder: CWD }] };
    expect(await decide('npm test && rm -rf out', rules)).toBe('allow');
    for (const text of ['npm test && rm -rf out ', 'npm test', 'npm test && rm -rf out; id', 'npm  test && rm -rf out'])
      expect([text, await decide(text, rules)]).toEqual([text, 'ask']);
    const elsewhere = { ...(await runOf('npm test && rm -rf out')), cwd: '/ws/other' };
    expect(decidePermission('run_command', elsewhere, rulesOf({ rules })).kind).toBe('ask');
  });

  test('a rule holds while the files that define its script say what they said, and a new yes takes its place [S-13]', async () => {
    const rule = { tool: 'run_command', command: 'make', scripts: { Makefile: 'a' } };
    const judge = async (scripts: Readonly<Record<string, string>> | undefined) => {
      const plan = await runOf('make');
      if (plan.command === undefined) throw new Error('no command');
      return decidePermission('run_command', { ...plan, command: { ...plan.command, scripts } }, rulesOf({ rules: { allow: [rule] } }));
    };
    expect(await judge({ Makefile: 'a', 'package.json': 'x' })).toEqual({ kind: 'allow' });
    for (const scripts of [{ Makefile: 'b' }, {}, undefined])
      expect(await judge(scripts)).toMatchObject({ kind: 'ask', why: { en: 'changed since you allowed it: Makefile' } });
    const later = { ...rule, scripts: { Makefile: 'b' } };
    expect(withRule({ ...noRules, allow: [rule] }, 'allow', later).allow).toEqual([later]);
    expect(withRule({ ...noRules, allow: [rule] }, 'allow', { ...rule }).allow).toEqual([rule]);
  });

  test('a prefix covers plain words after it and nothing else [S-11, S-13]', async () => {
    const rules = { allow: ['npm test', 'git log', 'node scripts/x.js'].map((prefix) => ({ tool: 'run_command', prefix })) };
    const allowed = [
      'npm test',
      'npm test -- --bail',
      'git log --oneline -5',
      'npm test 2>&1 | tail -20',
      'npm test && git log',
      "git log 'a b'",
      'node scripts/x.js all',
    ];
    for (const text of allowed) expect([text, await decide(text, rules)]).toEqual([text, 'allow']);
    const asks = [
      'git logout',
      'git log;x',
      'git log && x',
      'git log | x',
      'git log $(x)',
      'git log --output=x',
      'git log -p --ext-diff',
      'npm test -- --reporter=$(id)',
      'npm test > out',
      'A=1 npm test',
      'npm test &',
      'npm test *',
      'npm test ~/x',
      'npm test {a,b}',
      "npm test $'a'",
      '(npm test)',
      'time npm test',
      'npm test <<< x',
      'npm test --node-options=x',
      'node scripts/x.js -e 1',
      'node scripts/x.js --all',
      'node scripts/y.js',
      './npm test',
      'cd .. && npm test',
      'npm test\nid',
      'npm test #\nid',
    ];
    for (const text of asks) expect([text, await decide(text, rules)]).toEqual([text, 'ask']);
  });

  test('a prefix covers no path outside of the working folder, and of a program that only reads what only reads', async () => {
    const rules = { allow: ['go test', 'find', 'mkdir'].map((prefix) => ({ tool: 'run_command', prefix })) };
    for (const text of ['go test ./...', 'go test -run=X/Y ./a', "find . -name '*.ts'", 'mkdir -p a/b..c'])
      expect([text, await decide(text, rules)]).toEqual([text, 'allow']);
    const asks = [
      'go test -coverprofile=c.out',
      'go test -x=/etc/x',
      'go test ../other',
      'find . -delete',
      'find . -exec id ;',
      'mkdir /x',
      'mkdir a/../../b',
    ];
    for (const text of asks) expect([text, await decide(text, rules)]).toEqual([text, 'ask']);
  });

  test('a prefix covers no other command that stands alone, however harmless', async () => {
    const rules = { allow: [{ tool: 'run_command', prefix: 'npm test' }] };
    for (const text of ['ls', 'echo x', 'pwd | wc -l']) expect([text, await decide(text, rules)]).toEqual([text, 'ask']);
    expect(await decide('npm test && echo done', rules)).toBe('allow');
  });

  test('a rule without a pattern allows no command and no file', async () => {
    const rules = { allow: [{ tool: '*' }, { tool: 'run_command' }] };
    expect(await decide('ls', rules)).toBe('ask');
    expect(decidePermission('read_file', planOf({ access: 'read', place: 'outside' }), rulesOf({ rules })).kind).toBe('ask');
    expect(await decide('ls', { deny: [{ tool: 'run_command' }] })).toBe('deny');
  });
});

/** The same command, where it would run. */
const heldPlan = (plan: ReadyPlan, place: { readonly isHeld: boolean; readonly needs?: SandboxNeeds | undefined }): ReadyPlan =>
  plan.command === undefined ? plan : { ...plan, command: { ...plan.command, needs: undefined, ...place } };

describe('commands that only read', () => {
  test.each([
    [false, 'ask', 'ask'],
    [true, 'ask', 'allow'],
    [false, 'run', 'allow'],
    [true, 'run', 'allow'],
  ] as const)('in the sandbox %s, readOnlyCommands %s: %s', async (isHeld, readOnlyCommands, kind) => {
    const rules = rulesOf({ rules: { readOnlyCommands } });
    const reads = { ...rules, onlyReads: await provesReading(await runOf('ls'), noRules) };
    expect(decidePermission('run_command', heldPlan(await runOf('ls'), { isHeld }), reads).kind).toBe(kind);
    expect(await provesReading(await runOf('touch a'), noRules)).toBe(false);
    expect(decidePermission('run_command', heldPlan(await runOf('touch a'), { isHeld }), rules).kind).toBe('ask');
  });

  test('in the sandbox any command runs unasked where the user chose so, and only there', async () => {
    const decideHeld = async (place: Parameters<typeof heldPlan>[1], rules: Partial<PermissionSettings> = {}) =>
      decidePermission('run_command', heldPlan(await runOf('make all'), place), rulesOf({ rules: { sandboxedCommands: 'run', ...rules } }))
        .kind;
    expect(await decideHeld({ isHeld: true })).toBe('allow');
    for (const needs of [undefined, ...sandboxNeeds]) expect(await decideHeld({ isHeld: false, needs })).toBe('ask');
    expect(await decideHeld({ isHeld: true }, { deny: [{ tool: 'run_command', prefix: 'make all' }] })).toBe('deny');
    expect(await decideHeld({ isHeld: true }, { ask: [{ tool: 'run_command', prefix: 'make all' }] })).toBe('ask');
  });

  test('beyond the sandbox a rule allows what it says, and a yes for the session is for that alone', async () => {
    const plan = await runOf('npm install');
    const decideNeeds = (needs: SandboxNeeds | undefined, ruleNeeds: SandboxNeeds | undefined) => {
      const rule = { tool: 'run_command', prefix: 'npm install', ...(ruleNeeds === undefined ? {} : { needs: ruleNeeds }) };
      return decidePermission('run_command', heldPlan(plan, { isHeld: needs === undefined, needs }), rulesOf({ rules: { allow: [rule] } }))
        .kind;
    };
    expect([decideNeeds('network', undefined), decideNeeds('everything', 'network')]).toEqual(['ask', 'ask']);
    expect([decideNeeds('repository', 'network'), decideNeeds('network', 'repository')]).toEqual(['ask', 'ask']);
    expect([decideNeeds('repository', 'repository'), decideNeeds('repository', 'everything')]).toEqual(['allow', 'allow']);
    expect([
      decideNeeds('network', 'network'),
      decideNeeds('network', 'everything'),
      decideNeeds('everything', 'everything'),
      decideNeeds(undefined, 'network'),
    ]).toEqual(['allow', 'allow', 'allow', 'allow']);
    const key = (needs: 'network' | undefined) =>
      grantKey('run_command', heldPlan(plan, { isHeld: needs === undefined, needs }), rulesOf());
    expect(key('network')).not.toBe(key(undefined));
    const decision = decidePermission('run_command', heldPlan(plan, { isHeld: false, needs: 'network' }), rulesOf());
    const rules = decision.kind === 'ask' ? decision.offers.flatMap((offer) => (offer.kind === 'rule' ? [offer.rule] : [])) : [];
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(rule.needs).toBe('network');
  });

  test('an approval offers the whole command, beginnings of it, and the setting', async () => {
    const offers = async (text: string, onlyReads = false) => {
      const plan = await runOf(text);
      const decision = decidePermission('run_command', plan, rulesOf({ onlyReads }));
      return decision.kind === 'ask'
        ? decision.offers.map((offer) => (offer.kind === 'rule' ? (offer.rule.prefix ?? offer.rule.command) : offer.kind))
        : [];
    };
    expect(await offers('npm run build -- --bail')).toEqual(['npm run build -- --bail', 'npm run build']);
    expect(await offers('npm run build -- --x')).toEqual(['npm run build -- --x']);
    expect(await offers('pytest -p evil -q tests/a')).toEqual(['pytest -p evil -q tests/a', 'pytest -p evil']);
    expect(await offers('./run.sh --fast now')).toEqual(['./run.sh --fast now', './run.sh --fast']);
    expect(await offers('kubectl get pods -n shop')).toEqual(['kubectl get pods -n shop', 'kubectl get pods', 'kubectl get']);
    expect(await offers('kubectl config set-credentials x')).toEqual(['kubectl config set-credentials x']);
    expect(await offers('ls -la src', true)).toEqual(['ls -la src', 'read_only_commands']);
    expect(await offers('git push origin main')).toEqual(['git push origin main', 'git push origin']);
    for (const text of [
      'curl https://a',
      'rm -rf out',
      'npm install -D',
      'cat f',
      'npm test && id',
      'env A=1 x',
      'bash -c id',
      'awk x f',
      'echo $(id)',
      'git -c a=b log',
      'sed -i s/a/b/ f',
      'x "a b"',
    ])
      expect([text, await offers(text)]).toEqual([text, [text]]);
  });
});

describe('a rule about a path', () => {
  const deny = { deny: [{ tool: '*', path: 'letters/**' }] };

  test('that forbids holds for the path that was given as well as for the one it leads to', () => {
    const byLink = planOf({ path: `${CWD}/other/x`, given: `${CWD}/letters/x` });
    const toLetters = planOf({ path: `${CWD}/letters/x`, given: `${CWD}/other/x` });
    for (const plan of [byLink, toLetters]) expect(decidePermission('write_file', plan, rulesOf({ rules: deny })).kind).toBe('deny');
    const allow = { allow: [{ tool: 'write_file', path: 'letters/**' }] };
    expect([byLink, toLetters].map((plan) => decidePermission('write_file', plan, rulesOf({ rules: allow })).kind)).toEqual([
      'ask',
      'allow',
    ]);
  });

  test('that forbids or asks keeps a command that reads there from running unasked', async () => {
    const plan = await runOf('cat letters/x');
    if (plan.command === undefined) throw new Error('no command');
    const reads = { ...plan, command: { ...plan.command, freeToRead: async () => [`${CWD}/letters/x`] } };
    expect(await provesReading(reads, noRules)).toBe(true);
    expect(await provesReading(reads, { ...noRules, ...deny })).toBe(false);
    expect(await provesReading(reads, { ...noRules, ask: deny.deny })).toBe(false);
  });
});

describe('what cannot be undone', () => {
  const text = { en: 'data.sqlite (2.1 GB)', zh: 'data.sqlite（2.1 GB）' };
  const lossOf = (plan: ReadyPlan): Pick<PermissionRules, 'irreversible'> => ({
    irreversible: { text, commands: [plan.command?.parsed.commands.at(-1)] },
  });
  const exact = { tool: 'run_command', command: 'rm data.sqlite', folder: CWD, irreversible: true } as const;

  test.each<[string, Parameters<typeof rulesOf>[0]]>([
    ['a flag', { allowed: new Set(['run_command']) }],
    ['a rule for the command', { rules: { allow: [{ tool: 'run_command', command: 'rm data.sqlite' }] } }],
    ['a rule for how it begins', { rules: { allow: [{ tool: 'run_command', prefix: 'rm' }] } }],
    ['what a hook says', { hook: { decision: 'allow', reason: undefined } }],
    ['the mode accept-edits', { mode: 'accept-edits' }],
    ['no rule at all', {}],
  ])('is asked about whatever else allows the call: %s', async (_, wish) => {
    const plan = await runOf('rm data.sqlite');
    expect(decidePermission('run_command', plan, { ...rulesOf(wish), ...lossOf(plan) })).toEqual({
      ...{ kind: 'ask', irreversible: text, offers: [{ kind: 'rule', rule: exact }] },
    });
  });

  test('is asked about in the sandbox too, where all else runs', async () => {
    const plan = await runOf('rm data.sqlite');
    const held = { ...plan, ...(plan.command && { command: { ...plan.command, isHeld: true } }) };
    const rules = rulesOf({ rules: { sandboxedCommands: 'run', readOnlyCommands: 'run' } });
    expect(decidePermission('run_command', held, rules).kind).toBe('allow');
    expect(decidePermission('run_command', held, { ...rules, ...lossOf(plan) }).kind).toBe('ask');
  });

  test('is covered by no earlier yes, and none is offered for the session', async () => {
    const plan = await runOf('rm data.sqlite');
    const rules = { ...rulesOf({ grants: new Set([grantKey('run_command', plan, rulesOf())]) }), ...lossOf(plan) };
    expect(decidePermission('run_command', plan, rules)).not.toHaveProperty('session');
    expect(decidePermission('run_command', plan, rules).kind).toBe('ask');
  });

  test.each([
    ['rm data.sqlite', [exact], 'allow'],
    ['rm data.sqlite', [{ tool: 'run_command', prefix: 'rm', irreversible: true }], 'allow'],
    ['git push --force-with-lease origin a', [{ tool: 'run_command', prefix: 'git push --force-with-lease', irreversible: true }], 'allow'],
    ['git push --force origin a', [{ tool: 'run_command', prefix: 'git push --force-with-lease', irreversible: true }], 'ask'],
    ['rm data.sqlite', [{ ...exact, folder: '/elsewhere' }], 'ask'],
    ['rm data.sqlite', [{ ...exact, command: 'rm other' }], 'ask'],
    ['npm test && rm data.sqlite', [{ tool: 'run_command', prefix: 'rm', irreversible: true }], 'ask'],
    [
      'npm test && rm data.sqlite',
      [
        { tool: 'run_command', prefix: 'rm', irreversible: true },
        { tool: 'run_command', prefix: 'npm test' },
      ],
      'allow',
    ],
    ['npm test && rm data.sqlite', [{ tool: 'run_command', prefix: 'npm test', irreversible: true }], 'ask'],
  ] as const)('%j with the rules %j: %s', async (command, allow, kind) => {
    const plan = await runOf(command);
    expect(decidePermission('run_command', plan, { ...rulesOf({ rules: { allow: [...allow] } }), ...lossOf(plan) }).kind).toBe(kind);
  });

  test('by a redirection is allowed by the whole command alone', async () => {
    const plan = await runOf('echo x > data.sqlite');
    const decide = (rule: PermissionRule) =>
      decidePermission('run_command', plan, {
        ...rulesOf({ allowed: new Set(['run_command']), rules: { allow: [rule] } }),
        irreversible: { text, commands: [undefined] },
      }).kind;
    expect(decide({ tool: 'run_command', prefix: 'echo', irreversible: true })).toBe('ask');
    expect(decide({ tool: 'run_command', command: 'echo x > data.sqlite', irreversible: true })).toBe('allow');
  });

  test('runs in bypass and is told; what is forbidden stays so', async () => {
    const plan = await runOf('rm data.sqlite');
    const decide = (wish: Parameters<typeof rulesOf>[0]) => decidePermission('run_command', plan, { ...rulesOf(wish), ...lossOf(plan) });
    expect(decide({ mode: 'bypass' })).toEqual({ kind: 'allow', irreversible: text });
    expect(decide({ mode: 'bypass', rules: { allow: [exact] } })).toEqual({ kind: 'allow' });
    expect(decide({ mode: 'bypass', rules: { deny: [{ tool: 'run_command', prefix: 'rm' }] } }).kind).toBe('deny');
    expect(decide({ mode: 'read-only', rules: { allow: [exact] } }).kind).toBe('deny');
    expect(decide({ rules: { allow: [exact], ask: [{ tool: 'run_command', prefix: 'rm' }] } })).toMatchObject({
      ...{ kind: 'ask', eachTime: true, irreversible: text, offers: [] },
    });
  });

  test('makes no decision weaker, and a rule for it makes none stricter', async () => {
    const commands = ['rm data.sqlite', 'npm test && rm data.sqlite', 'ls', 'git push -f', 'rm $X'];
    const plans = await Promise.all(commands.map((command) => runOf(command)));
    const rule = fc.record(
      {
        tool: fc.constantFrom('run_command', '*'),
        prefix: fc.constantFrom('rm', 'npm test', 'git push'),
        folder: fc.constantFrom(CWD, '/x'),
      },
      { requiredKeys: ['tool', 'prefix'] },
    );
    const wish = fc.record({
      mode: fc.constantFrom(...permissionModes),
      allowed: fc.constantFrom(new Set<string>(), new Set(['run_command'])),
      onlyReads: fc.boolean(),
      rules: fc.record({
        allow: fc.array(rule),
        ask: fc.array(rule, { maxLength: 1 }),
        deny: fc.array(rule, { maxLength: 1 }),
        readOnlyCommands: fc.constantFrom('ask' as const, 'run' as const),
      }),
    });
    const strictness = { allow: 0, ask: 1, deny: 2 };
    fc.assert(
      fc.property(fc.constantFrom(...plans), wish, fc.array(rule, { minLength: 1 }), (plan, given, more) => {
        const decide = (rules: PermissionRules) => strictness[decidePermission('run_command', plan, rules).kind];
        const plain = rulesOf(given);
        const lossy = { ...plain, ...lossOf(plan) };
        expect(decide(lossy)).toBeGreaterThanOrEqual(decide(plain));
        const allow = [...given.rules.allow, ...more.map((each): PermissionRule => ({ ...each, irreversible: true }))];
        expect(decide({ ...lossy, settings: { ...lossy.settings, allow } })).toBeLessThanOrEqual(decide(lossy));
      }),
      { numRuns: 300 },
    );
  });
});
