import { isInRange, parseVersionRange } from '../detector/version-range.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { dropOptions, dropPrompt, findOption, hasOption } from '../options.ts';
import { appServerSocket } from './app-server.ts';
import { readArguments } from './arguments.ts';
import { hasQueue } from './lacks-native.ts';
import { planAppServer } from './put-up.ts';
import { planRole } from './role.ts';

/** From here on a plain `codex` starts a daemon, and can be told not to. */
const withDaemon = parseVersionRange('>=0.156.0');

/**
 * Codex as its own terminal program on an app-server of its own: the two halves that `codex` alone
 * runs in one process, so that a second client (us) can see every turn. Configuration comes from
 * the server, so what changes it goes there, too. No hooks are passed: new ones would bring up a
 * review that a person must answer (rule 39).
 *
 * Arguments that this split would lose or that refuse it (a profile, another subcommand), and
 * versions whose server has no queue, get plain `codex`; then the screen alone tells its state.
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { executablePath, resume, epoch, runFolder, version } = request;
  const person = readArguments(request.extraArgs);
  const isFirst = epoch <= 1 && resume === undefined;
  const model = request.model === undefined ? [] : [`--model=${request.model}`];
  // What a person asked it to do at first is not asked again by a restart.
  const words = isFirst ? person.words : [];
  const conversation = resume === undefined ? [] : ['resume', resume];
  const role = planRole(request, request.extraArgs);
  const lacks = role.lacks ? { lacks: role.lacks } : {};
  const needsPlain = person.plain.length > 0;
  if (!hasQueue(version) || needsPlain) {
    const plain = isFirst ? request.extraArgs : dropPrompt(request.extraArgs);
    const noDaemon = startsDaemon(version) && !request.extraArgs.includes('--no-daemon');
    return {
      argv: person.isOtherCommand
        ? [executablePath, ...request.extraArgs]
        : [
            executablePath,
            // It would leave a server and an updater behind that outlive the agent.
            ...(noDaemon ? ['--no-daemon'] : []),
            ...role.settings,
            ...role.args,
            ...model,
            ...(needsPlain ? plain : [...person.flags, ...words]),
            ...conversation,
          ],
      env: {},
      files: [],
      helpers: [],
      ...lacks,
    };
  }
  const socket = appServerSocket(runFolder);
  // A resumed conversation takes no sandbox from the terminal program ("Permission overrides are
  // not supported when resuming a remote task", 0.166.0), and then has that of its server.
  const isResumed = resume !== undefined;
  const flags = person.flags.filter((flag) => flag !== '--no-daemon');
  const options = [...role.args, ...flags];
  const { helper, note } = planAppServer(runFolder, [
    executablePath,
    ...role.settings,
    ...(isResumed ? asSettings(options) : []),
    ...person.serverFlags,
    'app-server',
    '--listen',
    `unix://${socket}`,
  ]);
  return {
    argv: [
      executablePath,
      '--remote',
      `unix://${socket}`,
      ...(isResumed ? [] : role.args),
      ...model,
      ...(isResumed ? dropPermission(flags) : flags),
      ...words,
      ...conversation,
    ],
    env: {},
    files: [note],
    helpers: [helper],
    ...lacks,
  };
}

function startsDaemon(version: string | undefined): boolean {
  return version !== undefined && withDaemon !== undefined && isInRange(withDaemon, version);
}

const sandboxNames = ['-s', '--sandbox'];
const approvalNames = ['-a', '--ask-for-approval'];
const bypass = '--dangerously-bypass-approvals-and-sandbox';

/** Options about the sandbox as the configuration that they stand for. */
function asSettings(options: readonly string[]): readonly string[] {
  const isBypassed = hasOption(options, [bypass]);
  const sandbox = isBypassed ? 'danger-full-access' : findOption(options, sandboxNames);
  const approval = isBypassed ? 'never' : findOption(options, approvalNames);
  return [
    ...(sandbox === undefined ? [] : ['-c', `sandbox_mode=${JSON.stringify(sandbox)}`]),
    ...(approval === undefined ? [] : ['-c', `approval_policy=${JSON.stringify(approval)}`]),
  ];
}

function dropPermission(options: readonly string[]): readonly string[] {
  const named = [...sandboxNames, ...approvalNames];
  return dropOptions(options, [...named, bypass], named);
}
