import { join } from 'node:path';
import { createSecret } from '../../shared/ids.ts';
import type { LaunchPlan, LaunchRequest } from '../launch-plan.ts';
import { dropOptions, findOption, hasOption } from '../options.ts';
import { planRole } from './role.ts';
import { type ServerAddress, serverFile } from './server.ts';
import { planShown } from './shown.ts';

/**
 * OpenCode as a person starts it, with its HTTP server opened on loopback behind a password of this
 * run. What a person wrote after `--` wins; a conversation chosen there counts for the first life,
 * and later ones resume what the agent was doing (rule 37). OpenCode makes up the ids of its
 * conversations: a new one has none before its first prompt.
 */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const { extraArgs, resume, epoch, model, env } = request;
  const isFirst = epoch <= 1 && resume === undefined;
  const later = dropOptions(extraArgs, conversationOptions, sessionOptions);
  // A first prompt is said once.
  const resumed = dropOptions(later, ['--prompt']);
  const person = isFirst ? extraArgs : resume === undefined ? later : resumed;
  const isChosen = hasOption(person, conversationOptions);
  const conversation = isChosen ? chosenSession(person) : resume;
  const address: ServerAddress = {
    hostname: findOption(person, ['--hostname']) ?? loopback,
    port: Number(findOption(person, ['--port']) ?? request.freePort),
    password: createSecret('oc'),
    ...withText('model', findOption(person, ['--model', '-m']) ?? model),
    ...withText('agent', findOption(person, ['--agent'])),
  };
  const shown = planShown(request.runFolder, env);
  const role = planRole(request);
  return {
    argv: [
      request.executablePath,
      ...unlessSaid(person, '--port', String(request.freePort)),
      ...unlessSaid(person, '--hostname', loopback),
      ...(isChosen || resume === undefined ? [] : [`--session=${resume}`]),
      ...(model === undefined || hasOption(person, ['--model', '-m']) ? [] : [`--model=${model}`]),
      ...person,
    ],
    env: {
      OPENCODE_SERVER_PASSWORD: address.password,
      // Each start unpacks 14–20 MB of libraries and leaves them there (1.18.33); the run folder is
      // removed in the end. TMPDIR would do as well, but the agent's own tools see it.
      ...(env['BUN_TMPDIR'] ? {} : { BUN_TMPDIR: join(request.runFolder, librariesFolder) }),
      ...shown.env,
      ...role.env,
    },
    files: [
      { path: serverFile, text: `${JSON.stringify(address)}\n` },
      // Without the folder it cannot unpack them, and ends.
      { path: `${librariesFolder}/README`, text: 'What OpenCode unpacks at its start.\n' },
      ...shown.files,
      ...role.files,
    ],
    helpers: [],
    ...(role.lacks ? { lacks: role.lacks } : {}),
    ...(conversation === undefined ? {} : { conversation }),
  };
}

const loopback = '127.0.0.1';
const librariesFolder = 'libraries';
const sessionOptions = ['--session', '-s'];
const conversationOptions = [...sessionOptions, '--continue', '-c', '--fork'];

/** A fork gets an id of its own, and which one is the last only OpenCode knows. */
function chosenSession(person: readonly string[]): string | undefined {
  return hasOption(person, ['--fork']) ? undefined : findOption(person, sessionOptions);
}

function withText<Name extends string>(
  name: Name,
  text: string | undefined,
): { readonly [key in Name]?: string } {
  return text === undefined ? {} : ({ [name]: text } as { readonly [key in Name]: string });
}

function unlessSaid(person: readonly string[], name: string, value: string): readonly string[] {
  return hasOption(person, [name]) ? [] : [name, value];
}
