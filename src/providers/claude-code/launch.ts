import { join } from 'node:path';
import { dropPrompt } from '../options.ts';
import type { LaunchPlan, LaunchRequest } from '../provider.ts';

/** What changes the status. PreToolUse and its like would cost a process per tool call and tell nothing more. */
export const hookEvents = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'PermissionRequest',
  'Notification',
  'SessionEnd',
] as const;

/** Seconds. The command ends within 1 s (rule 23); this is for a machine that stands still. */
const hookTimeout = 5;

/**
 * Claude Code as a person starts it, with a settings file of this run beside the user's own: hooks of both run (2.1.325).
 * What a person wrote after `--` wins over ours. A conversation that a person chose there counts for the first life alone;
 * later ones resume what this agent was doing (rule 37), or begin anew.
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const person = isFirst ? extraArgs : dropPrompt(dropConversation(extraArgs), switches);
  const conversation = chooseConversation(request, person);
  // A second --settings would replace the first: then the state file and the screen must do.
  const hasSettings = person.some((arg) => nameOf(arg) === '--settings');
  return {
    argv: [
      request.executablePath,
      ...(hasSettings ? [] : ['--settings', join(request.runFolder, settingsFile)]),
      ...conversation.args,
      ...(request.model === undefined ? [] : ['--model', request.model]),
      ...person,
    ],
    env: {},
    files: hasSettings ? [] : [{ path: settingsFile, text: writeSettings(request.hookCommand) }],
    helpers: [],
    ...(conversation.id === undefined ? {} : { conversation: conversation.id }),
  };
}

/** Options without a value, after which a prompt may stand. */
const switches = [
  '--verbose',
  '--ide',
  '--strict-mcp-config',
  '--dangerously-skip-permissions',
  '--allow-dangerously-skip-permissions',
  '--disable-slash-commands',
  '--chrome',
  '--no-chrome',
];

const settingsFile = 'settings.json';

function chooseConversation(
  { resume, newConversation }: LaunchRequest,
  person: readonly string[],
): { readonly args: readonly string[]; readonly id: string | undefined } {
  if (person.some((arg) => conversationFlags.has(nameOf(arg)))) {
    return { args: [], id: findValue(person, '--session-id') };
  }
  if (resume !== undefined) return { args: ['--resume', resume], id: resume };
  return { args: ['--session-id', newConversation], id: newConversation };
}

function writeSettings(hookCommand: (event: string) => string): string {
  const hooks = Object.fromEntries(
    hookEvents.map((event) => [
      event,
      [{ hooks: [{ type: 'command', command: hookCommand(event), timeout: hookTimeout }] }],
    ]),
  );
  return `${JSON.stringify({ hooks }, undefined, 2)}\n`;
}

const conversationFlags = new Set([
  '--session-id',
  '--resume',
  '-r',
  '--continue',
  '-c',
  '--fork-session',
  '--from-pr',
]);
const withValue = new Set(['--session-id', '--resume', '-r', '--from-pr']);

function dropConversation(args: readonly string[]): readonly string[] {
  return args.filter((arg, at) => {
    const before = args[at - 1];
    const isValue = before !== undefined && withValue.has(before) && !arg.startsWith('-');
    return !isValue && !conversationFlags.has(nameOf(arg));
  });
}

function nameOf(arg: string): string {
  return arg.startsWith('--') ? (arg.split('=', 1)[0] ?? arg) : arg;
}

function findValue(args: readonly string[], flag: string): string | undefined {
  const at = args.findIndex((arg) => nameOf(arg) === flag);
  const arg = args[at];
  if (arg === undefined) return undefined;
  return arg.includes('=') ? arg.slice(flag.length + 1) : args[at + 1];
}
