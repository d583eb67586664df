import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import { median } from '../measure.ts';
import type { Part, Surroundings } from '../suite.ts';
import { Station } from './station.ts';

/** How fast `yes` runs while it is watched, against the same tmux with nobody watching. */
export async function benchFlood({ folder, quick, signal, say }: Surroundings): Promise<Part> {
  const seconds = quick ? 2 : 5;
  const rounds = quick ? 1 : 3;
  say(`a flood, watched and unwatched, ${rounds} × ${seconds} s each`);
  const watched: number[] = [];
  const unwatched: number[] = [];
  for (let round = 0; round < rounds; round++) {
    signal.throwIfAborted();
    unwatched.push(await floodAlone(join(folder, `alone-${round}.sock`), seconds));
    watched.push(await floodWatched(join(folder, `flood-${round}`), seconds));
  }
  return {
    title: 'A flooding agent',
    how: `\`yes\` for ${seconds} s in a tmux of the same version without any client, and launched through the daemon (status and \
raw log as always; nobody follows it); ${rounds} rounds in turn, medians of the bytes that the program wrote per second.`,
    rows: [
      {
        what: '`yes`, watched, MB/s',
        measured: { value: median(watched) / 1e6, unit: '' },
        against: { what: 'unwatched', quantity: { value: median(unwatched) / 1e6, unit: '' } },
        bar: { atLeast: 0.25 },
      },
    ],
    raw: { watched, unwatched },
  };
}

async function floodAlone(socket: string, seconds: number): Promise<number> {
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args]);
  tmux('new-session', '-d', '-x', '120', '-y', '40', '-s', 'flood', 'env', 'yes');
  try {
    const pid = Number(String(tmux('list-panes', '-a', '-F', '#{pane_pid}')).trim());
    return await writtenPerSecond(pid, seconds);
  } finally {
    tmux('kill-server');
  }
}

async function floodWatched(home: string, seconds: number): Promise<number> {
  const station = new Station(home);
  try {
    await station.start();
    await station.ask('POST', '/agents', {
      provider: 'generic',
      name: 'flood',
      notify: true,
      cwd: '/',
      extraArgs: ['yes'],
      env: { PATH: process.env['PATH'] ?? '' },
      extraEnv: {},
    });
    const listed = execFileSync('tmux', [
      ...['-S', join(home, 'tmux.sock'), 'list-panes', '-a', '-F', '#{@sbx-agent} #{pane_pid}'],
    ]);
    const line = String(listed)
      .split('\n')
      .find((text) => text.startsWith('agt_'));
    return await writtenPerSecond(Number(line?.split(' ')[1]), seconds);
  } finally {
    await station.close();
  }
}

async function writtenPerSecond(pid: number, seconds: number): Promise<number> {
  await systemClock.sleep(500);
  const written = () => Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
  const before = written();
  await systemClock.sleep(seconds * 1000);
  return (written() - before) / seconds;
}
