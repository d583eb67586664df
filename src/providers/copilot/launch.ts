import { join } from 'node:path';
import type { HookCommand } from '../hook-command.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { dropOptions, findOption, hasOption } from '../options.ts';
import { answersExtensionFile, answersExtensionSource, answersName } from './answers-extension.ts';
import { extensionFile, extensionSource, linkName } from './extension.ts';
import { planRole } from './role.ts';

/**
 * What changes the status. `permissionRequest` is not among them: it fires for every tool call,
 * also for one that a rule of the user allows (1.0.102); `notification` fires when a person is
 * really asked.
 */
export const hookEvents = [
  'sessionStart',
  'userPromptSubmitted',
  'notification',
  'agentStop',
  'errorOccurred',
] as const;

/** Seconds. The command ends within 1 s (rule 23); this is for a machine that stands still. */
const hookTimeout = 5;

/**
 * Copilot CLI as a person starts it, with a plugin of this run that holds nothing but our hooks:
 * the user's own run as well, and nothing of it is kept in his configuration (1.0.102). What a
 * person wrote after `--` wins; a conversation chosen there counts for the first life, and later
 * ones resume what the agent was doing (rule 37).
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch, model, runFolder } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const later = dropOptions(extraArgs, conversationOptions, withValue);
  // A first prompt is said once.
  const resumed = dropOptions(later, ['--interactive', '-i', '--prompt', '-p']);
  const person = isFirst ? extraArgs : resume === undefined ? later : resumed;
  const { args, id } = chooseConversation(request, person);
  const role = planRole(request, person);
  return {
    argv: [
      request.executablePath,
      '--plugin-dir',
      join(runFolder, pluginFolder),
      ...role.args,
      ...args,
      ...(model === undefined || hasOption(person, ['--model']) ? [] : [`--model=${model}`]),
      ...person,
    ],
    env: { ...allowExtensions(request.env), ...role.env },
    files: [
      { path: `${pluginFolder}/plugin.json`, text: write(plugin) },
      { path: `${pluginFolder}/hooks.json`, text: write(describeHooks(request.hookCommand)) },
      { path: extensionFile, text: extensionSource },
      // Its folder is watched from the beginning.
      { path: `${linkName}/README`, text: 'Where the extension of this run listens.\n' },
      ...(request.role.hasRemoteApprovals ? answersFiles : []),
      ...role.files,
    ],
    helpers: [],
    ...(request.role.hasRemoteApprovals ? { remarks: [asksFirst] } : {}),
    ...(role.lacks ? { lacks: role.lacks } : {}),
    ...(id === undefined ? {} : { conversation: id }),
  };
}

/**
 * Only where the launch asks for it: Copilot asks a person about an extension that wants to handle
 * permission requests, at each start, and in each conversation of /clear and /new (1.0.102).
 */
const answersFiles: LaunchPlan['files'] = [
  { path: answersExtensionFile, text: answersExtensionSource },
  { path: `${answersName}/README`, text: 'Where the extension for answers listens.\n' },
];
const asksFirst =
  '`approvals: remote`: Copilot asks in its terminal, at each start and after each /clear and /new, whether signalbox-answers may handle permission requests; until you say Yes there, what it asks is answered in its terminal alone';

/** `--experimental` would switch on much more, and for good. */
function allowExtensions(env: LaunchRequest['env']): Record<string, string> {
  const set = (env[flagsVariable] ?? '').split(',').filter((flag) => flag !== '');
  return { [flagsVariable]: [...new Set([...set, 'EXTENSIONS'])].join(',') };
}

const flagsVariable = 'COPILOT_CLI_ENABLED_FEATURE_FLAGS';
const pluginFolder = 'plugin';
const withValue = ['--session-id', '--resume', '-r', '--connect'];
const conversationOptions = [...withValue, '--continue'];

/**
 * `--session-id` would begin a conversation anew that is gone, without a word; `--resume` says that
 * it is.
 */
function chooseConversation(
  { resume, newConversation }: LaunchRequest,
  person: readonly string[],
): { readonly args: readonly string[]; readonly id: string | undefined } {
  if (hasOption(person, conversationOptions)) {
    return { args: [], id: findOption(person, ['--session-id']) };
  }
  const id = resume ?? newConversation;
  return { args: [`${resume === undefined ? '--session-id' : '--resume'}=${id}`], id };
}

const plugin = {
  name: 'signalbox',
  description: 'Tells signalbox what this agent is doing.',
  version: '1.0.0',
  hooks: 'hooks.json',
  extensions: 'extensions',
};

function describeHooks(hookCommand: HookCommand): object {
  const hooks = hookEvents.map((event) => [
    event,
    [{ type: 'command', bash: hookCommand(event), timeoutSec: hookTimeout }],
  ]);
  return { version: 1, hooks: Object.fromEntries(hooks) };
}

function write(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
