import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseMode } from '../modes.ts';
import { dropOptions, findOption, hasOption } from '../options.ts';
import { planHookHome } from './hook-home.ts';
import { modes } from './role.ts';

/**
 * Kimi Code as a person starts it, in a home of this run that holds our hooks beside all that is
 * his (hook-home.ts). It takes no id for a new conversation (2.1.0). What a person wrote after `--`
 * wins; a conversation chosen there counts for the first life, and later ones resume what the agent
 * was doing (rule 37).
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch, model } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const later = dropOptions(extraArgs, conversationOptions, sessionOptions);
  // A resumed session keeps the agent that it was begun with, and refuses to be given one.
  const resumed = dropOptions(later, ['--agent', '--agent-file']);
  const person = isFirst ? extraArgs : resume === undefined ? later : resumed;
  const isChosen = hasOption(person, conversationOptions);
  const conversation = isChosen ? findOption(person, sessionOptions) : resume;
  const hasMode = hasOption(person, ['--plan', '--yolo', '-y', '--auto']);
  const mode = hasMode ? undefined : chooseMode(modes, request.role);
  const isUnknown = request.role.permissionMode !== undefined && !mode && !hasMode;
  const { hasRole = false, ...home } = planHookHome(request) ?? {};
  return {
    argv: [
      request.executablePath,
      ...(isChosen || resume === undefined ? [] : [`--session=${resume}`]),
      ...(model === undefined || hasOption(person, ['--model', '-m']) ? [] : [`--model=${model}`]),
      ...(mode?.args ?? []),
      ...person,
    ],
    env: {},
    files: [],
    ...home,
    helpers: [],
    ...noteLacks(request, [
      ...(['allowedTools', 'approvals'] as const),
      ...(hasRole ? [] : (['tools', 'instructions', 'mcpServers'] as const)),
      ...(isUnknown ? (['permission'] as const) : []),
    ]),
    ...(conversation === undefined ? {} : { conversation }),
  };
}

const sessionOptions = ['--session', '-S'];
const conversationOptions = [...sessionOptions, '--continue', '-c'];
