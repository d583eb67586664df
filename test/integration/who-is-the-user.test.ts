import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { openPerson } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasTmux, openStation, type Station } from './fixtures/station.ts';

/** Rule 52: a message is the user's only if a person's own command has sent it. */
describe.runIf(hasTmux)('rule 52: who is the user', () => {
  test('a person at a terminal is, whatever they have in their environment', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    const person = await openPerson(station.home);
    const send = async (body: string, env: Record<string, string>): Promise<string> => {
      await person.type(['send', 'inbox', body], [], { env });
      return senderOf(station, body);
    };
    expect(await send('plain', {})).toBe('user');
    // What people set themselves.
    expect(await send('own', { CLAUDE_CODE_USE_BEDROCK: '1', CODEX_HOME: '/x' })).toBe('user');
    expect(await send('ssh', { SSH_TTY: '/dev/pts/0', SUDO_USER: 'me' })).toBe('user');
    expect(await send('empty', { SIGNALBOX_AGENT: '' })).toBe('user');
    expect(await send('named', { SIGNALBOX_AGENT: 'user' })).toBe('user');
    // What a coding CLI sets in all that it starts.
    for (const mark of ['CLAUDECODE', 'CODEX_CI', 'GEMINI_CLI', 'OPENCODE']) {
      expect(await send(mark, { [mark]: '1' })).toBe('script');
    }
    // Of an agent that is not known any more.
    expect(await send('late', { SIGNALBOX_TOKEN: 'tok_gone' })).toBe('script');
    // By the daemon, to which the command shows the user's token.
    await person.type(['launch', 'generic', 'first', '--name', 'cat', '--', 'cat']);
    expect(senderOf(station, 'first')).toBe('user');
  });

  test('a command without a terminal is a script of the user', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    await station.run(['send', 'inbox', 'cron'], { wrapper: ['setsid', '--wait'] });
    expect(senderOf(station, 'cron')).toBe('script');
    const launch = ['launch', 'generic', 'first', '--name', 'cat', '--', 'cat'];
    await station.run(launch, { wrapper: ['setsid', '--wait'] });
    expect(senderOf(station, 'first')).toBe('script');
  });

  test('nothing in an agent is, whatever it does to its environment and its processes', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    await station.run(['agents', 'add', 'other']);
    const out = join(station.home, 'out');
    const bare = `PATH="$PATH" SIGNALBOX_HOME=${station.home} ${process.execPath} ${program}`;
    const lines = [
      `env ${bare} send inbox kept`,
      `env SIGNALBOX_AGENT= ${bare} send inbox emptied`,
      `env SIGNALBOX_AGENT= SIGNALBOX_TOKEN= ${bare} send inbox both-emptied`,
      `env SIGNALBOX_AGENT=user ${bare} send inbox said-user`,
      `env -i ${bare} send inbox clean`,
      // Nobody's child: what it carries says whose it is.
      `(env SIGNALBOX_AGENT= ${bare} send inbox orphan & ) ; sleep 2`,
      // Without a word about its agent: in the agent's terminal, and in none.
      `(exec env -i ${bare} send inbox clean-orphan & ) ; sleep 2`,
      `(setsid env -i ${bare} send inbox away & ) ; sleep 2`,
      `env SIGNALBOX_AGENT=other ${bare} send inbox posed; echo "code $?" > ${out}`,
      `env ${bare} run-task --title job -- env ${bare} send inbox run`,
      `touch ${out}-done; sleep 600`,
    ];
    const words = lines.join(' ; ');
    await station.run(['launch', 'generic', '--name', 'sly', '--', 'sh', '-c', words]);
    await waitUntil('the end of its commands', () => existsSync(`${out}-done`), 120_000);
    const senders = ['kept', 'emptied', 'both-emptied', 'said-user', 'clean', 'orphan'].map(
      (body) => senderOf(station, body),
    );
    expect(senders).toEqual(['sly', 'sly', 'sly', 'sly', 'sly', 'sly']);
    expect(senderOf(station, 'clean-orphan')).toBe('script');
    expect(senderOf(station, 'away')).toBe('script');
    expect(readFileSync(out, 'utf8')).toBe('code 5\n');
    // It runs as an agent of its own, below the one that asked.
    expect(senderOf(station, 'run')).toBe('job');
  });
});

/** `user`, `script` or the agent's name, as the ledger has it. */
function senderOf({ home }: Station, body: string): string {
  const ledger = new Sqlite(join(home, 'ledger.db'), { readonly: true });
  try {
    const row = ledger
      .prepare('select name, script from messages join agents on agents.id = sender where body = ?')
      .get(body) as { name: string; script: number } | undefined;
    if (row === undefined) return `nobody has sent ${body}`;
    return row.script === 1 ? 'script' : row.name;
  } finally {
    ledger.close();
  }
}
