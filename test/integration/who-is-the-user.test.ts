import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { call } from '../../src/client/socket/http.ts';
import { program } from '../support/cli.ts';
import { openPerson } from '../support/person.ts';
import { waitUntil } from '../support/wait-until.ts';
import { hasCommand } from './fixtures/has-command.ts';
import { isSent, senderOf } from './fixtures/sender-of.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/** Rule 52: a message is the user's only if a person's own command has sent it. */
describe.runIf(hasTmux)('rule 52: who is the user', () => {
  test('a person at a terminal is, whatever they have in their environment', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    const person = await openPerson(station.home);
    const send = async (body: string, env: Record<string, string>): Promise<string> => {
      const { screen } = await person.type(['send', 'inbox', body], [], { env });
      expect(screen).not.toMatch(/You count as/);
      return senderOf(station, body);
    };
    expect(await send('plain', {})).toBe('user');
    for (const [body, env] of Object.entries(ownVariables)) {
      expect([body, await send(body, env)]).toEqual([body, 'user']);
    }
    // By the daemon, to which the command shows the user's token.
    await person.type(['launch', 'generic', 'first', '--name', 'cat', '--', 'cat']);
    expect(senderOf(station, 'first')).toBe('user');
  });

  test('a person is, whatever stands between the keyboard and the command', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    const person = await openPerson(station.home);
    await person.shell('echo piped | $SB send inbox --file -');
    await person.shell('nohup $SB send inbox nohup 2>&1 | cat');
    await person.shell('script -qec "$SB send inbox script" /dev/null');
    await person.shell(
      '(sh -c "$SB send inbox twice; touch $HOME/sent" &); until test -e $HOME/sent; do sleep 0.1; done',
    );
    // Beside a command of their own that signalbox runs in the same terminal.
    await person.shell(
      '$SB run-task --title job -- sleep 20 & until $SB ls | grep -q job; do :; done; $SB send inbox beside',
    );
    await person.shell(
      'tmux -S "$HOME/inner" -f /dev/null new-session -d "$SB send inbox tmux; tmux wait-for -S sent"; tmux -S "$HOME/inner" wait-for sent; true',
    );
    for (const body of ['piped\n', 'nohup', 'script', 'twice', 'beside', 'tmux']) {
      expect([body, senderOf(station, body)]).toEqual([body, 'user']);
    }
  });

  test('a person in a pane that they split off from an agent’s is', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    await station.launch('lead');
    const { pane } = await station.pane('lead');
    const send = `${process.execPath} ${program} send inbox split`;
    const home = `SIGNALBOX_HOME=${station.home}`;
    await station.tmux('split-window', '-d', '-t', pane, '-e', home, `${send}; sleep 600`);
    await waitUntil('the message', () => isSent(station, 'split'));
    expect(senderOf(station, 'split')).toBe('user');
  });

  // Only root can become another user here; what root's processes have, that one cannot read.
  test.runIf(process.getuid?.() === 0 && hasCommand('setpriv'))(
    'a person below a process whose environment cannot be read, such as sshd, is',
    async () => {
      const station = await openStation();
      const person = await openPerson(station.home);
      const home = mkdtempSync(join(tmpdir(), 'signalbox-nobody-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      chownSync(home, 65_534, 65_534);
      const become = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
      const send = 'cat /proc/$PPID/environ; $SB agents add inbox; $SB send inbox ssh';
      const { screen } = await person.shell(
        `CLAUDECODE=1 sh -c 'env -u CLAUDECODE ${become} sh -c "$0"; true' '${send}'`,
        { env: { SIGNALBOX_HOME: home, HOME: home } },
      );
      expect(screen).toMatch(/environ: Permission denied/);
      expect([senderOf({ home }, 'ssh'), screen]).toEqual(['user', screen]);
    },
  );

  // A real change of user, in a terminal of its own below processes of root's, as with sshd and su.
  test.runIf(process.getuid?.() === 0 && ['setpriv', 'su', 'script'].every(hasCommand))(
    'a person who has become another user is, in that one’s state folder, and root is not',
    async () => {
      const station = await openStation();
      const person = await openPerson(station.home);
      const home = mkdtempSync(join(tmpdir(), 'signalbox-nobody-'));
      onTestFinished(() => rmSync(home, { recursive: true, force: true }));
      chownSync(home, 65_534, 65_534);
      const own = `SIGNALBOX_HOME=${home} HOME=${home}`;
      const become = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
      const { screen: made } = await person.shell(`env ${own} ${become} $SB agents add inbox`);
      const said = async (body: string, command: string) => {
        const { screen } = await person.shell(command);
        return [body, senderOf({ home }, body), screen];
      };
      const send = (body: string): string => `env ${own} $SB send inbox ${body}`;
      const su = (body: string, flag: string, more = ''): string =>
        `script -qec "su ${more} -s /bin/sh nobody ${flag} '${send(body)}'" /dev/null`;
      const ways = {
        setpriv: `script -qec "${become} ${send('setpriv')}" /dev/null`,
        su: su('su', '--session-command'),
        login: su('login', '--session-command', '-'),
      };
      for (const [body, command] of Object.entries(ways)) {
        const told = await said(body, command);
        expect([made, ...told]).toEqual([made, body, 'user', told[2]]);
        expect(told[2]).not.toMatch(/You count as/);
      }
      // Root is somebody else there, and nothing of it can be believed.
      const root = await said('root', `script -qec "${send('root')}" /dev/null`);
      expect(root[1]).toBe('nobody has sent it');
      expect(root[2]).toMatch(/belongs to another user \(uid 65534\)/);
      // `su -c` takes the terminal away from what it starts.
      const bare = await said('bare', su('bare', '-c'));
      expect(bare).toEqual(['bare', 'script', bare[2]]);
    },
  );

  test('a person who counts as another is told in one line what decided it', {
    tags: ['full'],
  }, async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    const person = await openPerson(station.home, 300);
    const told = async (env: Record<string, string>, ...args: string[]): Promise<string> => {
      const { screen, code } = await person.type(['send', 'inbox', ...args], [], { env });
      expect(code).toBe(0);
      const lines = screen.split('\n').filter((line) => line.includes('You count'));
      expect(lines).toHaveLength(1);
      return lines.join('');
    };
    // What a coding CLI sets in all that it starts.
    for (const mark of ['CLAUDECODE', 'CODEX_CI', 'GEMINI_CLI', 'QWEN_CODE', 'OPENCODE']) {
      expect(await told({ [mark]: '1' }, mark)).toBe(
        `signalbox: You count as a script here, because ${mark}=1 was set by a coding CLI in this shell, so your words arrive as a notice. To speak as yourself, use a terminal that no agent or coding CLI has opened.`,
      );
      expect(senderOf(station, mark)).toBe('script');
    }
    // Codex with a sandbox, with network or without, and an environment that was made small.
    for (const mark of ['CODEX_THREAD_ID', 'CODEX_SANDBOX', 'CODEX_SANDBOX_NETWORK_DISABLED']) {
      expect(await told({ [mark]: 'secret' }, mark)).toMatch(new RegExp(`because ${mark} was set`));
      expect(senderOf(station, mark)).toBe('script');
    }
    // Of an agent that is not known any more; its token is a secret.
    expect(await told({ SIGNALBOX_TOKEN: 'tok_gone' }, 'late')).toMatch(
      /as a script here, because SIGNALBOX_TOKEN was set for an agent in this shell/,
    );
    expect(senderOf(station, 'late')).toBe('script');
    expect(await told({ SIGNALBOX_AGENT: 'inbox' }, 'named')).toMatch(
      /as the agent "inbox" here, because SIGNALBOX_AGENT is set in this shell\. /,
    );
    expect(senderOf(station, 'named')).toBe('inbox');
    // A shell further up has it; so has every pane of a tmux server that an agent started.
    const above = await person.shell(
      'CLAUDECODE=1 sh -c "unset CLAUDECODE; sh -c \\"$SB send inbox above\\"; true"',
    );
    expect(above.screen).toMatch(
      /because CLAUDECODE=1 was set by a coding CLI in process \d+ \(sh\), which started this shell/,
    );
    const launched = await person.type(['launch', 'generic', 'go', '--', 'cat'], [], {
      env: { CLAUDECODE: '1' },
    });
    expect(launched.screen).toMatch(/You count as a script/);
    expect(senderOf(station, 'go')).toBe('script');
  });

  test('a command without a terminal is a script of the user, and so is a bare request', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    const cron = await station.run(['send', 'inbox', 'cron'], { wrapper: ['setsid', '--wait'] });
    expect([cron.code, cron.stderr]).toEqual([0, '']);
    expect(senderOf(station, 'cron')).toBe('script');
    const launch = ['launch', 'generic', 'first', '--name', 'cat', '--', 'cat'];
    await station.run(launch, { wrapper: ['setsid', '--wait'] });
    expect(senderOf(station, 'first')).toBe('script');
    const { socket = '' } = station.daemon();
    const body = { to: 'inbox', body: 'bare' };
    const request = { socket, method: 'POST', path: '/messages', body } as const;
    for (const shown of [{}, { headers: { 'signalbox-user': 'usr_00000000000000000000000000' } }]) {
      const answer = await call({ ...request, ...shown }, AbortSignal.timeout(60_000));
      expect(answer).toMatchObject({ outcome: 'answered', response: { statusCode: 201 } });
      expect(senderOf(station, 'bare')).toBe('script');
    }
  });
});

/** What people and their editors set; none of it speaks against them. */
const ownVariables: Readonly<Record<string, Record<string, string>>> = {
  claude: {
    ...{ CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9', ANTHROPIC_API_KEY: 'k' },
    ...{ CLAUDE_CONFIG_DIR: '/x', DISABLE_AUTOUPDATER: '1' },
  },
  others: {
    ...{ CODEX_HOME: '/x', OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k', GEMINI_CLI_NO_RELAUNCH: '1' },
    ...{ QWEN_CODE_DISABLE_UPDATE: '1', OPENCODE_CONFIG: '/x', COPILOT_MODEL: 'm', AGENT: 'x' },
  },
  ssh: { SSH_TTY: '/dev/pts/0', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22', SUDO_USER: 'me' },
  editor: {
    ...{
      TERM_PROGRAM: 'vscode',
      VSCODE_PID: '1',
      GIT_ASKPASS: '/x',
      TERMINAL_EMULATOR: 'JetBrains',
    },
    // Extensions of the CLIs set these in the terminals of an editor.
    ...{ CLAUDE_CODE_SSE_PORT: '1', ENABLE_IDE_INTEGRATION: 'true' },
    ...{ GEMINI_CLI_IDE_SERVER_PORT: '1', QWEN_CODE_IDE_SERVER_PORT: '1' },
  },
  screen: { STY: '1.pts', WINDOW: '0', TMUX: '/tmp/x,1,0', TMUX_PANE: '%1' },
  empty: { SIGNALBOX_AGENT: '', SIGNALBOX_TOKEN: '' },
  named: { SIGNALBOX_AGENT: 'user' },
};
