import fc from 'fast-check';
import { expect, test } from 'vitest';
import { userAgentId } from '../../src/agents/agent.ts';
import { Fault } from '../../src/shared/fault.ts';
import { readCall } from '../support/mcp.ts';
import { sweep } from '../support/sweep.ts';
import {
  type CeilingWorld,
  type Cli,
  cliNames,
  normalise,
  openCeilingWorld,
} from './ceiling-world.ts';

/** Requests for each CLI, each by one of the eight ways. A longer search: CEILING_RUNS=1000. */
const runsPerCli = Number(process.env['CEILING_RUNS'] ?? sweep(100, 12));

/** Every value that would widen holds this word, so that it is found wherever it ends up. */
const evil = 'EVIL';

const ways = [
  ...(['assign', 'handoff', 'launch', 'task', 'command launch', 'command assign'] as const),
  ...(['run-task launch', 'agents add launch'] as const),
] as const;

const hostileNames = [
  ...['PATH', 'path', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', 'NODE_OPTIONS', 'BASH_ENV', 'ENV'],
  ...['HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'SHELL', 'EDITOR', 'PAGER', 'GIT_SSH_COMMAND'],
  ...['PYTHONPATH', 'PERL5OPT', 'RUBYOPT', 'JAVA_TOOL_OPTIONS', 'HTTPS_PROXY', 'SSL_CERT_FILE'],
  ...['CLAUDE_CONFIG_DIR', 'ANTHROPIC_BASE_URL', 'CODEX_HOME', 'OPENAI_BASE_URL', 'IS_SANDBOX'],
  ...['GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'],
  ...['OPENCODE_CONFIG_CONTENT', 'OPENCODE_CONFIG', 'COPILOT_CLI_ENABLED_FEATURE_FLAGS'],
  ...['KIMI_CODE_HOME', 'SIGNALBOX_AGENT', 'SIGNALBOX_TOKEN', 'SIGNALBOX_HOME', 'TMUX'],
];

/**
 * What a profile of the user says beside its provider; those that widen, by what they would leave
 * behind.
 */
const profiles = {
  plain: '',
  reading: 'permissionMode: read-only',
  greeting: 'env: { GREETING: fine }',
  over: 'toolsOver: http\nnotify: false\napprovals: remote',
  servers: `mcpServers: { helper: { command: /bin/${evil}, env: { KEY: ${evil} } } }`,
  web: `mcpServers: { web: { url: "http://127.0.0.1:9/${evil}" } }`,
  path: `env: { PATH: /${evil} }`,
  tools: `allowedTools: [${evil}]`,
  asking: 'permissionMode: ask',
  editing: 'permissionMode: edit',
  bold: 'permissionMode: all',
  odd: `permissionMode: --${evil}`,
  modelled: `model: --${evil}`,
  tree: 'worktree: true',
} as const;
const harmlessProfiles: ReadonlySet<string> = new Set(['plain', 'reading', 'greeting', 'over']);

/**
 * Mostly what does no harm: of requests in which everything is hostile hardly one would be let
 * through.
 */
const rarely = <T>(hostile: fc.Arbitrary<T>, ...fine: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...fine) }, { weight: 1, arbitrary: hostile });

const hostileArgs = fc.array(
  fc.constantFrom(`--${evil}`, '--dangerously-skip-permissions', '--yolo', '-c', `x=${evil}`),
  { minLength: 1, maxLength: 3 },
);
const hostileEnv = fc.dictionary(fc.constantFrom(...hostileNames), fc.constant(`/${evil}`), {
  minKeys: 1,
  maxKeys: 4,
});
const hostileText = fc.constantFrom(`--${evil}`, `-${evil}`, `\u0000${evil}`, `--yolo ${evil}`);
/** Words that a launch may come with; a lone surrogate, nothing and too much are refused. */
const words = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) },
  { weight: 1, arbitrary: fc.constantFrom('\ud800', '', `-- ${evil}`, '$(touch x)') },
);

const asked = fc.record({
  way: fc.constantFrom(...ways),
  profile: fc.option(fc.constantFrom(...(Object.keys(profiles) as (keyof typeof profiles)[]))),
  model: rarely<string | undefined>(hostileText, undefined, 'fine-model'),
  extraArgs: rarely<readonly string[]>(hostileArgs, []),
  extraEnv: rarely<Record<string, string>>(hostileEnv, {}, { NODE_ENV: 'fine', GREETING: 'yes' }),
  env: fc.oneof(hostileEnv, fc.constant({})),
  isElsewhere: rarely(fc.constant(true), false),
  session: rarely<string | undefined>(fc.constant('elsewhere'), undefined, 'default'),
  worktree: rarely<boolean | undefined>(fc.constant(true), undefined, false),
  parent: rarely<string | undefined>(fc.constantFrom('boss', 'user'), undefined, 'reader'),
  name: rarely<string | undefined>(hostileText, undefined, 'child'),
  notify: fc.boolean(),
  text: words,
});
type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never;

test(`no request of a read-only agent leads to an argv, an environment or a file that a read-only launch by the user would not have (${cliNames.length} CLIs × ${runsPerCli} requests, ${ways.length} ways)`, async () => {
  const world = await openCeilingWorld();
  const { addAgent, writeProfile, take } = world;
  // Beside the user's variables it has what its own CLI was given for its own life.
  const given = {
    ...{ SIGNALBOX_TOKEN: 'tok_reader', SIGNALBOX_SOCKET: '/evil', SIGNALBOX_EPOCH: '1' },
    OPENCODE_SERVER_PASSWORD: `oc_${evil}`,
    OPENCODE_CONFIG_CONTENT: `{"mcp":{"signalbox":{}},"permission":{"${evil}":"allow"}}`,
    QWEN_CODE_SYSTEM_DEFAULTS_PATH: `${world.runs}/agt_1-1/${evil}.json`,
    KIMI_CODE_HOME: `${world.runs}/agt_1-1/${evil}`,
    COPILOT_CLI_ENABLED_FEATURE_FLAGS: evil,
  };
  const reader = await addAgent('reader', { permission: 'read-only' }, {}, given);
  await addAgent('boss', { permission: 'all' });
  const counts: Record<string, number> = { started: 0, refused: 0 };
  for (const cli of cliNames) {
    for (const [kind, fields] of Object.entries(profiles)) {
      writeProfile(`${cli}-${kind}`, `provider: ${cli}\n${fields}`);
    }
    let started = 0;
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        const said = await ask(world, reader.id, cli, request);
        const [start, ...more] = take();
        expect(more).toEqual([]);
        if (!start) {
          // Refused for what was asked, and not because something of ours failed.
          expect([said.code, said.message]).not.toEqual(['bug', expect.anything()]);
          expect(said.code).not.toBe('launch-failed');
          counts['refused'] = (counts['refused'] ?? 0) + 1;
          return;
        }
        started++;
        const id = start.env['SIGNALBOX_AGENT'] ?? '';
        const { parent } = (await world.ledger.read((tx) => tx.agents.find(id))) ?? {};
        const baseline = await launchByUser(world, cli, { ...request, parent });
        expect(normalise(start)).toEqual(normalise(baseline));
        expect(JSON.stringify(start)).not.toContain(evil);
      }),
      { numRuns: runsPerCli, endOnFailure: true, ...sweep({}, { seed: 1 }) },
    );
    counts['started'] = (counts['started'] ?? 0) + started;
    // Otherwise the property would hold of nothing.
    expect([cli, started > sweep(runsPerCli / 20, 0)]).toEqual([cli, true]);
  }
  expect((counts['started'] ?? 0) + (counts['refused'] ?? 0)).toBe(runsPerCli * cliNames.length);
  process.stdout.write(`permission ceiling: ${JSON.stringify(counts)}\n`);
}, 1_800_000);

async function ask(
  world: CeilingWorld,
  reader: string,
  cli: Cli,
  { way, profile, text, isElsewhere, ...request }: Asked,
): Promise<{ readonly code?: string; readonly message?: string }> {
  const target = profile === null ? cli : `profile:${cli}-${profile}`;
  const { extraArgs, extraEnv, env, parent, notify, ...both } = defined(request);
  const { post, own, other } = world;
  const cwd = isElsewhere ? other : own;
  // The command line names the agent; everybody else shows its token.
  const headers: Record<string, string> = /^(command|run-task|agents)/.test(way)
    ? { 'signalbox-agent': await findActor(world, reader, way, { cwd, session: both.session }) }
    : { authorization: 'Bearer tok_reader' };
  if (headers['signalbox-agent'] === '') return { code: 'not-allowed' };
  if (way === 'assign' || way === 'handoff') {
    const { name } = both;
    const args = { profile: target, task: text, ...(name === undefined ? {} : { name }) };
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: way, arguments: args },
    };
    const { result } = readCall(await (await post('/mcp', body, headers)).text());
    return result?.error ?? {};
  }
  const response = way.endsWith('launch')
    ? await post(
        '/agents',
        {
          ...{ provider: target, cwd, env, extraArgs, extraEnv, notify, ...both, message: text },
          ...(parent === undefined ? {} : { parent }),
        },
        headers,
      )
    : await post('/tasks', { to: target, task: text, cwd, env, ...both }, headers);
  return ((await response.json()) as { error?: object }).error ?? {};
}

/** In whose name it asks: its own, or one that it adds for that. Empty: that was refused. */
async function findActor(
  { addBelow }: CeilingWorld,
  reader: string,
  way: Asked['way'],
  { cwd, session }: { readonly cwd: string; readonly session: string | undefined },
): Promise<string> {
  if (way.startsWith('command')) return reader;
  const how = way.startsWith('run-task') ? 'run' : 'add';
  try {
    return (await addBelow(how, { id: reader }, cwd, session)).id;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    expect([error.code, session]).toEqual(['not-allowed', 'elsewhere']);
    return '';
  }
}

/**
 * The same CLI with the fields of the request that do no harm, and in so many words with the
 * permission to read.
 */
async function launchByUser(world: CeilingWorld, cli: Cli, request: Asked) {
  const { profile } = request;
  // By no way but these two does a request carry variables; by tools it names no model either.
  const isLaunch = request.way.endsWith('launch');
  const isTool = request.way === 'assign' || request.way === 'handoff';
  const isHarmless =
    profile === null ||
    harmlessProfiles.has(profile) ||
    // What the request says in its stead does no harm.
    (profile === 'modelled' && !isTool && request.model !== undefined) ||
    (profile === 'tree' && !isTool && !isLaunch && request.worktree === false);
  if (!isHarmless) throw new Error(`${cli}-${profile} was started`);
  const sets = profile === 'greeting' ? { GREETING: 'fine' } : {};
  const role = profile === null ? {} : { profile: `${cli}-${profile}`, instructions: 'Do it.' };
  const isOver = profile === 'over' ? { isOverHttp: true, hasRemoteApprovals: true } : {};
  await world.fleet
    .launch({
      ...{ provider: cli, name: undefined, session: 'default', notify: true },
      ...{ cwd: world.own, worktree: false, extraArgs: [], callerEnv: world.userEnv },
      parent: request.parent,
      model: isTool ? undefined : request.model,
      role: { ...role, ...isOver, permission: 'read-only' },
      extraEnv: { ...sets, ...(isLaunch ? request.extraEnv : {}) },
      ...{ callerAgent: userAgentId, message: undefined },
    })
    .catch(() => undefined);
  const [start] = world.take();
  if (!start) throw new Error('the user could not launch it');
  return start;
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
