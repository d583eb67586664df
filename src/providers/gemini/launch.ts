import { noteLacks } from '../lacks.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { chooseModeArgs } from '../modes.ts';
import { dropOptions, dropPrompt, findOption, hasOption } from '../options.ts';
import { planHookHome } from './hook-home.ts';
import { modes } from './role.ts';

/**
 * Gemini CLI as a person starts it, in a home of this run that holds our hooks beside all that is
 * his (hook-home.ts). What a person wrote after `--` wins; a conversation chosen there counts for
 * the first life, and later ones resume what the agent was doing (rule 37).
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch, model } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const person = isFirst
    ? extraArgs
    : dropPrompt(dropOptions(extraArgs, [...conversationOptions, ...promptOptions]), switches);
  const { args, id } = chooseConversation(request, person);
  const hasModel = model === undefined || hasOption(person, ['--model', '-m']);
  const hasMode = hasOption(person, ['--approval-mode', '--yolo', '-y']);
  const home = planHookHome(request);
  return {
    argv: [
      request.executablePath,
      ...args,
      ...(hasModel ? [] : [`--model=${model}`]),
      ...(hasMode ? [] : chooseModeArgs(modes, request.role, '--approval-mode')),
      ...person,
    ],
    env: {},
    files: [],
    ...home,
    helpers: [],
    ...noteLacks(request, [
      'approvals',
      ...(home ? [] : (['tools', 'instructions', 'allowedTools', 'mcpServers'] as const)),
    ]),
    ...(id === undefined ? {} : { conversation: id }),
  };
}

const promptOptions = ['--prompt-interactive', '-i', '--prompt', '-p'];
/** Options without a value, after which a prompt may stand. */
const switches = ['--sandbox', '-s', '--debug', '-d', '--yolo', '-y', '--screen-reader'];
const conversationOptions = ['--session-id', '--session-file', '--resume', '-r'];

/**
 * `--session-id` ends at once with code 42 when the conversation has a file, though nothing was
 * said in it.
 */
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
