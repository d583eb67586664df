import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { program } from '../support/cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { isSent, senderOf } from './fixtures/sender-of.ts';
import { hasTmux, openStation } from './fixtures/station.ts';

/** Rule 52, from inside an agent: it stays itself, and never becomes the user. */
describe.runIf(hasTmux)('rule 52: nothing in an agent is the user', () => {
  test('whatever it does to its environment and its processes', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    await station.run(['agents', 'add', 'other']);
    const out = join(station.home, 'out');
    const run = `${process.execPath} ${program}`;
    const bare = `PATH="$PATH" SIGNALBOX_HOME=${station.home} ${run}`;
    const hook = join(station.home, 'repo', '.git', 'hooks', 'post-commit');
    mkdirSync(join(station.home, 'repo'));
    const commit = 'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x';
    const lines = [
      `env ${bare} send inbox kept`,
      `env SIGNALBOX_AGENT= ${bare} send inbox emptied`,
      `env SIGNALBOX_AGENT= SIGNALBOX_TOKEN= ${bare} send inbox both-emptied`,
      `env SIGNALBOX_AGENT=user ${bare} send inbox said-user`,
      `env -i ${bare} send inbox clean`,
      // In terminals of its own making, and without any.
      `script -qec "${run} send inbox script" /dev/null`,
      `script -qec "env -i ${bare} send inbox clean-script" /dev/null`,
      `setsid --wait script -qec "${run} send inbox away-script" /dev/null`,
      `nohup ${run} send inbox nohup > /dev/null 2>&1`,
      // By programs that call others: a hook of git, a server that it starts.
      `(cd ${station.home}/repo && git init -q . && cp ${out}-hook ${hook} && ${commit})`,
      // Nobody's child: what it carries says whose it is.
      `(env SIGNALBOX_AGENT= ${bare} send inbox orphan & )`,
      // Below one that carries it, and says of itself that it is the user.
      `(setsid sh -c 'env SIGNALBOX_AGENT=user SIGNALBOX_TOKEN= ${bare} send inbox left-user; true' & )`,
      // Behind more processes than anybody has above them.
      `env -i PATH="$PATH" sh ${out}-nest 150`,
      // Without a word about its agent: in the agent's terminal, and in none.
      `(exec env -i ${bare} send inbox clean-orphan & )`,
      `(setsid env -i ${bare} send inbox away & )`,
      `env SIGNALBOX_AGENT=other ${bare} send inbox posed; echo "code $?" > ${out}`,
      `env ${bare} run-task --title job -- env ${bare} send inbox run`,
      `touch ${out}-done; sleep 600`,
    ];
    const send = `script -qec "env -i ${bare} send inbox nested" /dev/null`;
    const deeper = `env -i PATH="$PATH" sh "$0" $(($1 - 1))`;
    writeFileSync(`${out}-nest`, `if [ "$1" -gt 0 ]; then ${deeper}; else ${send}; fi; true\n`);
    writeFileSync(`${out}-hook`, `#!/bin/sh\nenv -i ${bare} send inbox hook\n`);
    chmodSync(`${out}-hook`, 0o755);
    const words = lines.join(' ; ');
    await station.run(['launch', 'generic', '--name', 'sly', '--', 'sh', '-c', words]);
    await waitUntil('the end of its commands', () => existsSync(`${out}-done`), 120_000);
    const own = [
      ...['kept', 'emptied', 'both-emptied', 'said-user', 'clean', 'script', 'clean-script'],
      ...['away-script', 'nohup', 'hook', 'orphan', 'left-user', 'nested'],
    ];
    for (const body of ['orphan', 'left-user', 'clean-orphan', 'away']) {
      await waitUntil(body, () => isSent(station, body));
    }
    for (const body of own) expect([body, senderOf(station, body)]).toEqual([body, 'sly']);
    expect(senderOf(station, 'clean-orphan')).toBe('script');
    expect(senderOf(station, 'away')).toBe('script');
    expect(readFileSync(out, 'utf8')).toBe('code 5\n');
    // It runs as an agent of its own, below the one that asked.
    expect(senderOf(station, 'run')).toBe('job');
  });

  test.runIf(mayUnshare())('in a sandbox with processes of its own', async () => {
    const station = await openStation();
    await station.run(['agents', 'add', 'inbox']);
    const done = join(station.home, 'done');
    const bare = `PATH="$PATH" SIGNALBOX_HOME=${station.home} ${process.execPath} ${program}`;
    const inside = (how: string, line: string): string => `unshare ${how} sh -c '${line}'`;
    const lines = [
      inside('-pf --mount-proc', `env ${bare} send inbox kept`),
      // The first process of the sandbox has the variables, and is our parent.
      inside('-pf --mount-proc', `env -i ${bare} send inbox clean; true`),
      // Nothing of the agent is left but its terminal, whose processes cannot be seen.
      `env -i PATH="$PATH" ${inside('-pf --mount-proc', `env -i ${bare} send inbox hidden; true`)}`,
      // /proc is that of the processes outside.
      `env -i PATH="$PATH" ${inside('-pf', `env -i ${bare} send inbox foreign; true`)}`,
      `touch ${done}; sleep 600`,
    ];
    const words = lines.join(' ; ');
    await station.run(['launch', 'generic', '--name', 'sly', '--', 'sh', '-c', words]);
    await waitUntil('the end of its commands', () => existsSync(done), 120_000);
    expect(senderOf(station, 'kept')).toBe('sly');
    expect(senderOf(station, 'clean')).toBe('sly');
    expect(senderOf(station, 'hidden')).toBe('script');
    expect(senderOf(station, 'foreign')).toBe('script');
  });
});

function mayUnshare(): boolean {
  try {
    execFileSync('unshare', ['-pf', '--mount-proc', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not as this user, or not on this machine.
    return false;
  }
}
