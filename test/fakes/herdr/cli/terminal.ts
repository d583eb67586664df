import { connect } from 'node:net';
import type { SessionPlace } from '../socket-paths.ts';
import { Usage, Words } from './words.ts';

/**
 * `terminal session observe|control TARGET`: frames on stdout, and with `control` commands on
 * stdin, until it is over.
 */
export async function runTerminalCommand(
  words: readonly string[],
  place: SessionPlace,
): Promise<number | undefined> {
  const [group, noun, mode = '', ...rest] = words;
  if (group !== 'terminal' || noun !== 'session') return undefined;
  if (mode !== 'observe' && mode !== 'control') throw new Usage('observe or control?');
  const parsed = new Words(rest, ['--cols', '--rows'], ['--takeover']);
  const opening = {
    mode,
    target: parsed.at(0, 'TARGET'),
    cols: parsed.number('--cols'),
    rows: parsed.number('--rows'),
    takeover: parsed.has('--takeover'),
  };
  return new Promise((done) => {
    const connection = connect(place.clientSocket);
    connection.on('error', (error) => {
      process.stderr.write(`error: ${error.message}\n`);
      done(1);
    });
    connection.on('close', () => done(0));
    connection.write(`${JSON.stringify(opening)}\n`);
    connection.pipe(process.stdout);
    if (mode === 'control') process.stdin.pipe(connection);
  });
}
