import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { attachTo } from './fixtures/attach-to.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/** As Claude Code 2.1.325 does it, whose process the kernel does not stop either. */
const program = `
const draw = (text) => process.stdout.write('\\x1b[2J\\x1b[H' + text);
const wake = () => { process.stdin.setRawMode(true); process.stdin.resume(); draw('> '); };
process.on('SIGCONT', () => undefined);
process.stdin.on('data', (keys) => {
  if (!keys.includes(26)) return draw('> ' + keys);
  process.stdin.setRawMode(false);
  process.stdin.pause();
  draw('Sleeper has been suspended. Run \`fg\` to bring it back.\\r\\n');
  process.once('SIGCONT', wake);
  process.kill(process.pid, 'SIGTSTP');
});
setInterval(() => undefined, 60_000);
wake();
`;

describe.runIf(hasTmux)('a person at the keyboard of a CLI', () => {
  test('rule 42: presses Ctrl-Z, where no shell could bring it back, and it goes on', async () => {
    const station = await openStation();
    const file = join(station.home, 'sleeper.cjs');
    writeFileSync(file, program);
    const provider = {
      command: [process.execPath, file],
      idle: ['^> ?$'],
      empty: { row: '^>$', column: 2 },
    };
    writeFileSync(
      join(station.home, 'config.yaml'),
      JSON.stringify({ providers: { sleeper: provider } }),
    );
    await station.ask('launch', 'sleeper', '--name', 'lead');
    await station.untilStatus('lead', 'idle');
    const person = await attachTo(station, 'lead');
    for (const key of ['a', 'b']) {
      person.press('C-z');
      await waitUntil('its last words', () => person.look().includes('has been suspended'));
      await waitUntil('its screen', () => /^>\s*$/m.test(person.look()), 20_000);
      person.press(key);
      await waitUntil('the key', () => person.look().includes(`> ${key}`));
    }
    expect(await station.agent('lead')).toMatchObject({ epoch: 1 });
  });
});
