import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Claude Code 2.1.325 without a screen and without a model: a program in a terminal that keeps the
 * state file and the transcript of a real one (shapes as in src/providers/claude-code/recordings),
 * and runs the hooks of its settings file as it does, those that wait included. SIGUSR1 is a
 * person's prompt, SIGUSR2 the end of the model's answer to it; what comes by a hook is answered at
 * once. What is put into `ask` is a command for which it asks a person; it waits for its hooks as
 * long as they run. With FAKE_SPINNER it shows the row of its spinner while it works, and Esc
 * breaks a turn off as in a real one, without a Stop hook, unless the variable says `deaf`. A new
 * modification time on the user's settings fires ConfigChange. What the model got is in
 * `model.txt`, one request after the other.
 */
const args = process.argv.slice(2);
if (args[0] === '--version') {
  process.stdout.write('2.1.325 (Claude Code)\n');
  process.exit();
}
const option = (name) => {
  const joined = args.find((arg) => arg.startsWith(`${name}=`));
  if (joined) return joined.slice(name.length + 1);
  return args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
};
const config = process.env.CLAUDE_CONFIG_DIR;
const session = option('--resume') ?? option('--session-id');
const { hooks } = JSON.parse(readFileSync(option('--settings'), 'utf8'));
const project = join(config, 'projects', 'srv-app');
const transcript = join(project, `${session}.jsonl`);
for (const folder of [project, join(config, 'sessions')]) mkdirSync(folder, { recursive: true });
// A transcript is made with the first prompt.
if (option('--resume') && !existsSync(transcript)) {
  process.stdout.write(`No conversation found with session ID: ${session}\n`);
  process.exit(1);
}

/** Turns and their steps come one after the other. */
let last = Promise.resolve();
const queue = (work) => {
  last = last.then(work);
};
let turn = '';
/** Of prompts that are not ended yet, the oldest first. */
const open = [];

process.on('SIGUSR1', () => {
  // Made now, not when its turn comes: an end that arrives while it still waits is not lost.
  const isEnded = new Promise((done) => open.push(done));
  queue(() => prompt(isEnded));
});
process.on('SIGUSR2', () => open.shift()?.());
queue(async () => {
  await run('SessionStart', { source: 'startup' });
  say('idle');
  process.stdout.write('READY\n');
});
const timeOf = () => statSync(join(config, 'settings.json'), { throwIfNoEntry: false })?.mtimeMs;
let settingsAt = timeOf();
setInterval(() => {
  const at = timeOf();
  if (at !== settingsAt) void run('ConfigChange', { source: 'user_settings' });
  settingsAt = at;
}, 200);

setInterval(() => {
  const path = join(config, 'ask');
  if (!existsSync(path)) return;
  const command = readFileSync(path, 'utf8');
  rmSync(path);
  queue(() => permit(command));
}, 100);

/** A tool of the model's: what a hook of PermissionRequest prints decides, and is on record. */
async function permit(command) {
  await begin(`call ${command}`, {});
  const id = randomUUID();
  const input = { command };
  const call = { type: 'tool_use', id, name: 'Bash', input };
  record({ type: 'assistant', message: { role: 'assistant', content: [call] } });
  say('waiting');
  const request = { tool_name: 'Bash', tool_input: input, cwd: process.cwd() };
  const printed = await run('PermissionRequest', request, 'decision');
  if (printed) {
    const { behavior: decision } = printed;
    const event = { decision, toolUseID: id, hookEvent: 'PermissionRequest' };
    record({ type: 'attachment', attachment: { type: 'hook_permission_decision', ...event } });
    const done = decision === 'allow' ? 'allowed' : 'denied';
    appendFileSync(join(config, 'model.txt'), `${done} ${command}\n`);
  }
  say('busy');
  await finish('the answer after a tool');
}

/** A person's: the model answers until it is told to end, or is broken off. */
async function prompt(isEnded) {
  await begin('a prompt', {});
  if ((await Promise.race([isEnded, isBrokenOff()])) === 'broken off') return say('idle');
  if (process.env.FAKE_SPINNER) process.stdout.write('\r\x1b[2K');
  await finish('the answer to a prompt');
}

function isBrokenOff() {
  if (!process.env.FAKE_SPINNER) return new Promise(() => undefined);
  process.stdout.write('✻ Working… (1s)');
  process.stdin.setRawMode(true);
  return new Promise((done) => {
    const take = (keys) => {
      appendFileSync(join(config, 'keys.txt'), keys);
      if (process.env.FAKE_SPINNER === 'deaf') return;
      process.stdin.off('data', take);
      process.stdout.write('\r\x1b[2K');
      done('broken off');
    };
    process.stdin.on('data', take);
  });
}

/** By a hook that waited. */
async function wake(text) {
  const content = `<task-notification>\n</task-notification>\n<system-reminder>\nsignalbox: ${text}\n</system-reminder>`;
  await begin(content, { origin: { kind: 'task-notification', producer: 'session-task' } });
  await finish('the answer to a message');
}

async function begin(content, more) {
  turn = randomUUID();
  say('busy');
  await run('UserPromptSubmit', { prompt: content });
  record({ type: 'user', message: { role: 'user', content }, promptId: turn, ...more });
  ask(content);
}

async function finish(answer) {
  let isContinued = false;
  for (;;) {
    process.stdout.write(`● ${answer}\n`);
    const reply = await run('Stop', {
      stop_hook_active: isContinued,
      last_assistant_message: answer,
    });
    if (reply === '') break;
    isContinued = true;
    const attachment = { type: 'hook_additional_context', content: [reply], hookEvent: 'Stop' };
    record({ type: 'attachment', attachment });
    ask(reply);
  }
  say('idle');
}

/** One request with that text, and its answer. */
function ask(text) {
  const [hash, id] = [randomUUID(), randomUUID()];
  const message = { role: 'user', content: [{ type: 'text', text }] };
  appendFileSync(join(config, 'model.txt'), `${text}\n`);
  record({ type: 'api-request-blob', hash, message });
  record({ type: 'api-request', id, keep: 0, tail: [hash] });
  const content = [{ type: 'text', text: 'an answer' }];
  const answer = { id, role: 'assistant', model: 'claude-opus-5-5', content };
  record({
    type: 'assistant',
    requestRef: id,
    message: { ...answer, stop_reason: 'end_turn' },
  });
}

/** What the hooks of an event have to say; those that wait are left to it. */
async function run(event, more, wanted = 'additionalContext') {
  const payload = JSON.stringify({
    session_id: session,
    transcript_path: transcript,
    prompt_id: turn,
    hook_event_name: event,
    ...more,
  });
  let context = '';
  for (const hook of (hooks[event] ?? []).flatMap((entry) => entry.hooks)) {
    if (hook.asyncRewake) {
      void start(hook.command, payload).then(({ code, stderr }) => {
        if (code === 2) queue(() => wake(stderr));
      });
      continue;
    }
    const { stdout } = await start(hook.command, payload);
    const said = stdout ? JSON.parse(stdout).hookSpecificOutput?.[wanted] : undefined;
    if (wanted === 'additionalContext') context += said ?? '';
    else context = said ?? context;
  }
  return context;
}

function start(command, payload) {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  }
  child.stdin.on('error', () => undefined);
  child.stdin.end(payload);
  return new Promise((done) => child.once('close', (code) => done({ code, ...said })));
}

function say(status) {
  const { pid } = process;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const state = { pid, sessionId: session, procStart, status };
  writeFileSync(join(config, 'sessions', `${pid}.json`), JSON.stringify(state));
}

function record(fields) {
  appendFileSync(transcript, `${JSON.stringify({ uuid: randomUUID(), ...fields })}\n`);
}
