import { runCommand } from './cli/run.ts';
import { readProfile } from './profile.ts';
import { runServer } from './server.ts';
import { findPlace, isSessionName } from './socket-paths.ts';

/**
 * A herdr for tests: its socket API, its command line and real terminals behind it, as measured on
 * herdr 0.8.0 and 0.6.8 (`FAKE_HERDR_VERSION`), and as their published sources have it. See
 * profile.ts for what can be switched off, and chaos/desk.ts for trouble on demand. It shares no
 * code with the client that it tests.
 */
async function main(args: readonly string[]): Promise<number> {
  const profile = readProfile(process.env);
  const [flag, name = '', ...rest] = args;
  const isNamed = flag === '--session';
  if (isNamed && !isSessionName(name)) {
    process.stderr.write('error: invalid session name\n');
    return 2;
  }
  const place = findPlace(isNamed ? name : undefined, process.env);
  const words = isNamed ? rest : args;
  if (words[0] === 'server' && words.length === 1) return runServer(place, profile);
  return runCommand(words, place, profile);
}

process.exit(await main(process.argv.slice(2)));
