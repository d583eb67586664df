import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, resolve } from 'node:path';
import type { Provider } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import { isProgram } from '../shared/find-on-path.ts';
import { quote } from '../shared/quote.ts';

/** On the PATH that the agent itself will have, and from the folder it will be in; its full path. */
export async function findProgram(
  provider: Provider,
  env: Readonly<Record<string, string>>,
  { cwd, extraArgs }: { readonly cwd: string; readonly extraArgs: readonly string[] },
): Promise<string> {
  const name = provider.executable || extraArgs[0];
  if (name === undefined) {
    throw new Fault(
      'usage',
      `${provider.title} needs a program to run.`,
      `For example \`signalbox launch ${provider.name} -- top\`.`,
    );
  }
  const folders = name.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  for (const folder of folders) {
    const candidate = resolve(cwd, folder, name);
    if (await isProgram(candidate)) return candidate;
  }
  throw new Fault(
    'launch-failed',
    name.includes('/')
      ? `There is no program ${JSON.stringify(resolve(cwd, name))}.`
      : `There is no program "${name}" on the PATH${provider.executable ? `: ${provider.title} is not installed` : ''}.`,
    'Install it, or put its folder on the PATH; `signalbox doctor` lists what was found.',
  );
}

export async function checkFolder(cwd: string): Promise<void> {
  // Whatever the system says: it is no folder that a program could be started in.
  const found = isAbsolute(cwd) ? await stat(cwd).catch(() => undefined) : undefined;
  if (found?.isDirectory()) return;
  throw new Fault(
    'invalid-input',
    `The working folder ${quote(cwd, 200)} is not there.`,
    'Give an existing folder with --cwd.',
  );
}
