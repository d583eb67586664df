import { join } from 'node:path';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { dropOptions, dropPrompt, findOption, hasOption } from '../options.ts';
import { planRole } from './role.ts';
import { readSettings, writeSettings } from './settings.ts';

/**
 * Claude Code as a person starts it, with a settings file of this run beside the user's own: hooks
 * of both run (2.1.325). Settings that a person named after `--` are part of it. What else stands
 * there wins over ours. A conversation that a person chose there counts for the first life alone;
 * later ones resume what this agent was doing (rule 37), or begin anew.
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const person = isFirst
    ? extraArgs
    : dropPrompt(dropOptions(extraArgs, conversationOptions, withValue), switches);
  const conversation = chooseConversation(request, person);
  const theirs = readSettings(person, request.cwd);
  // A second --settings replaces the first. One that cannot be read is theirs to mend: then there
  // are no hooks of ours.
  const hasOurs = theirs !== 'unreadable';
  const role = planRole(request, person);
  return {
    argv: [
      request.executablePath,
      ...(hasOurs ? ['--settings', join(request.runFolder, settingsFile)] : []),
      ...role.args,
      ...conversation.args,
      ...(request.model === undefined ? [] : [`--model=${request.model}`]),
      ...(hasOurs ? dropOptions(person, ['--settings']) : person),
    ],
    env: {},
    files: [
      ...(hasOurs
        ? [{ path: settingsFile, text: writeSettings(request.hookCommand, theirs) }]
        : []),
      ...role.files,
    ],
    helpers: [],
    ...(role.lacks ? { lacks: role.lacks } : {}),
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

const withValue = ['--session-id', '--resume', '-r', '--from-pr'];
const conversationOptions = [...withValue, '--continue', '-c', '--fork-session'];
const settingsFile = 'settings.json';

function chooseConversation(
  { resume, newConversation }: LaunchRequest,
  person: readonly string[],
): { readonly args: readonly string[]; readonly id: string | undefined } {
  if (hasOption(person, conversationOptions)) {
    return { args: [], id: findOption(person, ['--session-id']) };
  }
  if (resume !== undefined) return { args: [`--resume=${resume}`], id: resume };
  return { args: ['--session-id', newConversation], id: newConversation };
}
