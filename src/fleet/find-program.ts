import { resolve } from 'node:path';
import type { Provider } from '../providers/provider.ts';
import { Fault } from '../shared/fault.ts';
import { findOnPath, isProgram } from '../shared/find-on-path.ts';

/**
 * On the PATH that the agent itself will have, and from the folder it will be in; its full path.
 */
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
  // By its path, a person may well mean a program of the working folder; by its name nobody does
  // (rule 46).
  const found = name.includes('/')
    ? await checkPath(resolve(cwd, name))
    : await findOnPath(name, env['PATH'] ?? '');
  if (found !== undefined) return found;
  throw new Fault(
    'launch-failed',
    name.includes('/')
      ? `There is no program ${JSON.stringify(resolve(cwd, name))}.`
      : `There is no program "${name}" on the PATH${provider.executable ? `: ${provider.title} is not installed` : ''}.`,
    'Install it, or put its folder on the PATH; `signalbox doctor --all` lists what was found.',
  );
}

async function checkPath(path: string): Promise<string | undefined> {
  return (await isProgram(path)) ? path : undefined;
}
