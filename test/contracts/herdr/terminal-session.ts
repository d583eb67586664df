import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { type Json, text, type World } from './world.ts';

/** `herdr terminal session observe|control TARGET`, until the test is over. */
export function openTerminal(world: World, mode: string, target: string, ...more: string[]) {
  const { bin, env } = world.herdr;
  const child = spawn(bin, ['terminal', 'session', mode, target, ...more], { env });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await new Promise((done) => child.once('exit', done));
  };
  onTestFinished(kill);
  const frames: Json[] = [];
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const lines = `${rest}${String(chunk)}`.split('\n');
    rest = lines.pop() ?? '';
    frames.push(...lines.map((line) => JSON.parse(line) as Json));
  });
  return {
    frames,
    shown: () =>
      frames.map((frame) => Buffer.from(text(frame, 'bytes'), 'base64').toString()).join(''),
    say: (command: Json) => child.stdin.write(`${JSON.stringify(command)}\n`),
    kill,
    /** It was told so, or has ended. */
    isOver: () => frames.some(({ type }) => type === 'terminal.closed') || child.exitCode !== null,
  };
}

let asked = 0;

/** Rows and columns, as a program in the pane sees them: its shell is asked. */
export async function sizeOf(world: World, pane: string): Promise<string> {
  const mark = `size${++asked}`;
  await world.ask('pane.send_text', { pane_id: pane, text: `echo ${mark} $(stty size).\r` });
  const { matched_line } = await world.untilShown(pane, `${mark} \\d+ \\d+\\.`, 'regex');
  const [, size = ''] = /\w+ (\d+ \d+)\./.exec(String(matched_line)) ?? [];
  return size;
}
