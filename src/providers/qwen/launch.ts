import { dirname, join } from 'node:path';
import { asArray, asObject, type Json, parseObject } from '../../shared/json.ts';
import { readFileTextSync } from '../../shared/open-file.ts';
import { hookEvents } from '../claude-style-hooks.ts';
import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { dropOptions, dropPrompt, findOption, hasOption } from '../options.ts';
import { addRole, appendOption, roleArguments } from './role.ts';

/**
 * In the run folder: what Qwen Code tells, and where it takes messages. A new one per start: it
 * writes over an old one.
 */
export const eventFile = 'events.jsonl';
export const inputFile = 'input.jsonl';

/**
 * Qwen Code as a person starts it, with two files of this run beside it, and our hooks in the layer
 * of settings that every other one overrides: hooks of all layers run (0.24.4). What a person wrote
 * after `--` wins; a conversation chosen there counts for the first life, and later ones resume
 * what the agent was doing (rule 37).
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch, model, runFolder } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const person = isFirst
    ? extraArgs
    : dropPrompt(
        dropOptions(
          extraArgs,
          [...conversationOptions, ...promptOptions],
          ['--session-id', '--resume', '-r', ...promptOptions],
        ),
        switches,
      );
  const conversation = chooseConversation(request, person);
  const hasModel = model === undefined || hasOption(person, ['--model', '-m']);
  const channels = [
    ['--input-file', inputFile],
    ['--json-file', eventFile],
  ] as const;
  const ours = channels.filter(([option]) => !hasOption(person, [option]));
  const defaults = writeDefaults(request, systemDefaultsPath(request.env));
  return {
    argv: [
      request.executablePath,
      ...conversation.args,
      ...ours.flatMap(([option, file]) => [option, join(runFolder, file)]),
      ...(hasModel ? [] : [`--model=${model}`]),
      ...roleArguments(request, person),
      ...person,
    ],
    env: defaults === undefined ? {} : { [defaultsVariable]: join(runFolder, defaultsFile) },
    files: [
      // Both must be there before the start.
      ...ours.map(([, path]) => ({ path, text: '' })),
      ...(defaults === undefined ? [] : [{ path: defaultsFile, text: defaults }]),
    ],
    helpers: [],
    ...noteLacks(request, [
      ...(defaults === undefined ? (['tools', 'allowedTools', 'mcpServers'] as const) : []),
      ...(hasOption(person, [appendOption]) ? (['instructions'] as const) : []),
    ]),
    ...(conversation.id === undefined ? {} : { conversation: conversation.id }),
  };
}

const promptOptions = ['--prompt-interactive', '-i', '--prompt', '-p'];
/** Options without a value, after which a prompt may stand. */
const switches = ['--sandbox', '-s', '--debug', '-d', '--yolo', '-y', '--screen-reader'];
const conversationOptions = [
  '--session-id',
  '--resume',
  '-r',
  '--continue',
  '-c',
  '--fork-session',
];
const defaultsVariable = 'QWEN_CODE_SYSTEM_DEFAULTS_PATH';
const defaultsFile = 'defaults.json';
/** Milliseconds. Our command ends within 1 s (rule 23); this is for a machine that stands still. */
const hookTimeout = 5000;
/**
 * The variable that names our file also reaches the shell tool. A Qwen Code that the model starts
 * there runs our hooks, too, with this agent's identity; the tool's mark tells it apart, and its
 * hooks change nothing (rule 38).
 */
const unlessNested = { unlessSet: 'QWEN_CODE' } as const;

function chooseConversation(
  { resume, newConversation }: LaunchRequest,
  person: readonly string[],
): { readonly args: readonly string[]; readonly id: string | undefined } {
  if (hasOption(person, conversationOptions)) {
    return { args: [], id: findOption(person, ['--session-id']) };
  }
  const id = resume ?? newConversation;
  return { args: resume === undefined ? ['--session-id', id] : [`--resume=${resume}`], id };
}

/**
 * There is one such file per start, so an administrator's is merged into ours. One that cannot be
 * read stays in force, and ours is left out: the event file and the screen must do.
 */
function writeDefaults(request: LaunchRequest, systemPath: string): string | undefined {
  const admin = readSettings(systemPath);
  if (admin === undefined) return undefined;
  const theirs = asObject(admin['hooks']);
  const hooks = Object.fromEntries(
    hookEvents.map((event) => {
      const command = request.hookCommand(event, unlessNested);
      const ours = { type: 'command', command, timeout: hookTimeout };
      return [event, [...asArray(theirs[event]), { hooks: [ours] }]];
    }),
  );
  const settings = addRole({ ...admin, hooks: { ...theirs, ...hooks } }, request);
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}

function readSettings(path: string): Json | undefined {
  try {
    return parseObject(readFileTextSync(path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : undefined;
  }
}

function systemDefaultsPath(env: LaunchRequest['env']): string {
  const settings =
    env['QWEN_CODE_SYSTEM_SETTINGS_PATH'] ||
    (process.platform === 'darwin'
      ? '/Library/Application Support/QwenCode/settings.json'
      : '/etc/qwen-code/settings.json');
  return join(dirname(settings), 'system-defaults.json');
}
