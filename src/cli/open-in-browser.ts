import { spawn } from 'node:child_process';
import { findOnPath } from '../shared/find-on-path.ts';

/**
 * Asks the system to open an address, by argv: no shell reads it. Returns why that was not
 * possible; what its program does with it nobody waits for.
 */
export async function openInBrowser(
  url: string,
  env: NodeJS.ProcessEnv,
  platform = process.platform,
): Promise<string | undefined> {
  const program = platform === 'darwin' ? 'open' : 'xdg-open';
  const path = await findOnPath(program, env['PATH'] ?? '');
  if (path === undefined) return `There is no ${program} here to open a browser with.`;
  return new Promise((resolve) => {
    const child = spawn(path, [url], { detached: true, stdio: 'ignore', env });
    child.once('error', (error) => resolve(`${program} could not be started: ${error.message}.`));
    child.once('spawn', () => {
      child.unref();
      resolve(undefined);
    });
  });
}
