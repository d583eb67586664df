import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openScriptedWorld } from '../../pages/world.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { endOnSignals } from '../end-on-signals.ts';

/**
 * An agent asks, and nobody answers for a minute: what each way of telling a person printed, sent
 * or ran, and how often. The desktop is Debian's notify-send, and a notification service that
 * writes down what it is asked to show (python3-dbusmock).
 *
 *     npm run lab:told [-- --markdown FILE]
 */
const { values } = parseArgs({ options: { markdown: { type: 'string' } } });
const python = '/usr/bin/python3';
const minuteMs = 60_000;

const world = openScriptedWorld();
const calls = join(world.folder, 'calls');
const ran = join(world.folder, 'ran');
/** What the terminal of a person says that it is. */
const terminals: readonly Readonly<Record<string, string>>[] = [
  { TERM: 'xterm-256color' },
  { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' },
  { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' },
];
const bus = openBus();
const viewing: number[] = [];
endOnSignals(close);
try {
  const address = await bus.address;
  const env = { ...world.env, DBUS_SESSION_BUS_ADDRESS: address };
  await waitUntil('the notification service', () => hasService(env));
  const run = (...args: readonly string[]): string =>
    execFileSync(join(world.folder, 'bin', 'signalbox'), args, {
      env,
      cwd: world.cwd,
      encoding: 'utf8',
    });
  run('config', 'set', 'on-attention', `cat >> '${ran}'`);
  run('up');
  const views = terminals.map((terminal, at) => {
    const drawn = join(world.folder, `drawn-${at}`);
    const view = spawn('script', ['-qfc', 'signalbox ls --watch', drawn], {
      env: { ...env, ...terminal },
      cwd: world.cwd,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    if (view.pid !== undefined) viewing.push(view.pid);
    return { name: Object.values(terminal).at(-1), drawn };
  });
  const isDrawn = ({ drawn }: { readonly drawn: string }): boolean =>
    existsSync(drawn) && /no agents/.test(readFileSync(drawn, 'utf8'));
  await waitUntil('the views', () => views.every(isDrawn));
  const launched = run('launch', 'claude', '--name', 'lead');
  // By then each way has had its time: at once, 5 s, 30 s.
  await delay(minuteMs);
  const parts = [
    ['`launch` itself', launched],
    ...views.map(({ name, drawn }) => [`\`ls --watch\` in ${name}`, listRings(drawn)] as const),
    [
      'notify-send, as the notification service had it',
      // Its text has lines of its own.
      [...readFileSync(calls, 'utf8').matchAll(/Notify "signalbox".*?\[\]/gs)].join('\n'),
    ],
    ['`on-attention`, what it read', readFileSync(ran, 'utf8')],
    ['`signalbox inbox list`', run('inbox', 'list')],
    ['`signalbox attention`', run('attention')],
    ['`signalbox tmux-status`', run('tmux-status')],
  ] as const;
  const text = [
    '# Each way of telling a person, once',
    'Made by `npm run lab:told`: a scripted agent asks at its start, and nobody answers for a minute.',
    ...parts.map(([title, body]) => `## ${title}\n\n\`\`\`text\n${body.trimEnd()}\n\`\`\``),
  ]
    .join('\n\n')
    .replaceAll(world.folder, '~');
  process.stdout.write(`${text}\n`);
  if (values.markdown !== undefined) writeFileSync(values.markdown, `${text}\n`);
} finally {
  await close();
}

async function close(): Promise<void> {
  for (const pid of viewing.splice(0)) end(pid);
  await world.close();
  bus.end();
}

/** The bytes that ask the terminal for a bell or a notification. */
function listRings(file: string): string {
  const bytes = readFileSync(file, 'latin1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const rings = bytes.matchAll(/\x1b\](?:9|777);[^\x07\x1b]*(?:\x07|\x1b\\)|\x07/g);
  return [...rings].map(([found]) => JSON.stringify(found)).join('\n');
}

function openBus() {
  const service = `${python} -m dbusmock --template notification_daemon --logfile '${calls}'`;
  const child = spawn(
    'dbus-run-session',
    ['--', 'sh', '-c', `echo "$$ $DBUS_SESSION_BUS_ADDRESS"; exec ${service}`],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const started = waitUntil('the bus', () => /^(\d+) (\S+)\n/.exec(said));
  return {
    address: started.then(([, , address = '']) => address),
    end: () => {
      const [, pid] = /^(\d+) /.exec(said) ?? [];
      if (pid !== undefined) end(Number(pid));
    },
  };
}

/** Ours, and perhaps gone already. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

function hasService(env: Readonly<Record<string, string>>): boolean {
  const ask =
    'import dbus; exit(not dbus.SessionBus().name_has_owner("org.freedesktop.Notifications"))';
  return spawnSync(python, ['-c', ask], { env: { ...process.env, ...env } }).status === 0;
}
