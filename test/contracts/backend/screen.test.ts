import { resolve } from 'node:path';
import { expect } from 'vitest';
import type { Terminal } from '../../../src/terminals/terminal.ts';
import { readSgr } from '../../support/sgr.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { backendContract } from './backends.ts';

const echoer = resolve('test/contracts/backend/echo-hex.mjs');

/** Everything that makes a terminal that one and no other. */
const strangers = (terminal: Terminal): readonly Terminal[] => [
  { ...terminal, agent: 'agt_other' },
  { ...terminal, epoch: terminal.epoch + 1 },
  { ...terminal, pid: terminal.pid + 1 },
  { ...terminal, pane: '%4711' },
  { ...terminal, server: '1:1' },
];

backendContract('looking and writing', (check, can) => {
  check('a look shows the rendered screen with title, cursor and size (E4)', async (world) => {
    const script = `printf 'one\\033[2;5Htwo\\033[1;1HONE\\033[3;4H\\033]2;a|title\\007'; exec cat`;
    const terminal = await world.launchUntil('two', ['sh', '-c', script]);
    const look = await world.backend.look(terminal);
    expect(look).toMatchObject({
      title: 'a|title',
      ...(can.size ? { columns: 100, rows: 30 } : {}),
      isAlive: true,
    });
    if (look === 'gone') throw new Error('gone');
    expect(look.cursor).toEqual(can.cursor ? { x: 3, y: 2 } : undefined);
    expect([...look.lines, ''].slice(0, 3)).toEqual(['ONE', '    two', '']);
    if (can.size) expect(look.lines).toHaveLength(30);
    expect(look.obstacle).toBeUndefined();
    expect(look.humanKeyAt).toBeUndefined();
    expect(look.styledLines).toBeUndefined();
  });

  check('a styled look has the same rows with their colours', async (world) => {
    const terminal = await world.launchUntil('red', [
      'sh',
      '-c',
      `printf 'first\\n\\033[31mred\\033[0m plain'; exec cat`,
    ]);
    const look = await world.backend.look(terminal, { styled: true });
    if (look === 'gone') throw new Error('gone');
    expect(look.lines.slice(0, 2)).toEqual(['first', 'red plain']);
    // Each backend writes them in its own way, and ends rows in its own.
    expect(look.styledLines?.[0]).toBe('first');
    expect(readSgr(look.styledLines?.[1] ?? '')).toMatchObject([
      { text: 'red', colour: '1' },
      { text: ' plain', colour: undefined },
    ]);
  });

  check('a screen that looks like the backend’s own protocol is only a screen', async (world) => {
    const lines = ['%end 1 2 1', '%output %0 x', '%begin 1 2 1', '%exit', 'gone', 'written'];
    const terminal = await world.launchUntil('written', [
      'sh',
      '-c',
      `printf '%s\\n' "$@"; exec cat`,
      'sh',
      ...lines,
    ]);
    const look = await world.backend.look(terminal);
    if (look === 'gone') throw new Error('gone');
    expect(look.lines.slice(0, lines.length)).toEqual(lines);
  });

  check(
    'what is not that terminal in every part is gone: no look, no text, no byte (B3)',
    async (world) => {
      const terminal = await world.launchUntil('ready', ['sh', '-c', 'echo ready; exec cat']);
      for (const stranger of strangers(terminal)) {
        expect(await world.backend.look(stranger)).toBe('gone');
        expect(await world.backend.readText(stranger, 1000)).toBe('gone');
        expect(await world.backend.write(stranger, Buffer.from('x\r'))).toBe('gone');
        await world.backend.closeTerminal(stranger);
      }
      await world.type(terminal, 'mine\r');
      const lines = await world.untilScreen(terminal, 'mine');
      expect(lines.join('\n')).not.toContain('x');
    },
  );

  const long = Buffer.from('one line of them, é🚂\r'.repeat(5000));
  // Longer than one step, so that some character is cut in two; and what may not be taken for text.
  const words = `Grüße · “so” … — ${'ÀÿÆ¡¿×'.repeat(6)}\u00ad\u0085\u202e\u{1f980}日本\r`;
  const foreign = Buffer.from(words.repeat(600));
  const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

  if (can.typing === 'bytes') {
    check(
      'bytes reach the program exactly: all 256 of them, 100 KB, and letters of many languages',
      async (world) => {
        const terminal = await world.launchUntil('ready', [process.execPath, echoer]);
        expect(await world.backend.write(terminal, all)).toBe('written');
        await world.untilScreen(terminal, `256 ${digest(all)}`);
        expect(await world.backend.write(terminal, long)).toBe('written');
        const both = Buffer.concat([all, long]);
        await world.untilScreen(terminal, `${both.length} ${digest(both)}`);
        expect(await world.backend.write(terminal, foreign)).toBe('written');
        const whole = Buffer.concat([both, foreign]);
        await world.untilScreen(terminal, `${whole.length} ${digest(whole)}`);
      },
    );
  }
  if (can.typing === 'text') {
    check(
      'text reaches the program exactly, 100 KB of it, and other bytes not at all',
      async (world) => {
        const terminal = await world.launchUntil('ready', [process.execPath, echoer]);
        expect(await world.backend.write(terminal, all)).toBe('refused');
        expect(await world.backend.write(terminal, long)).toBe('written');
        await world.untilScreen(terminal, `${long.length} ${digest(long)}`);
        const endless = Buffer.from('x'.repeat(2_000_000));
        expect(await world.backend.write(terminal, endless)).toBe('refused');
      },
    );
  }
  if (can.typing === 'no') {
    check('nothing is ever typed', async (world) => {
      const terminal = await world.launchUntil('ready', ['sh', '-c', 'echo ready; exec cat']);
      expect(await world.backend.write(terminal, Buffer.from('x\r'))).toBe('refused');
      await world.type(terminal, 'person\r');
      const lines = await world.untilScreen(terminal, 'person');
      expect(lines.join('\n')).not.toContain('x');
    });
  }

  if (can.enterInOne) {
    check('text and Enter are one write, and too many bytes for one are none', async (world) => {
      const terminal = await world.launchUntil('ready', [process.execPath, echoer]);
      const text = Buffer.from(words);
      expect(await world.backend.write(terminal, long, { withEnter: true })).toBe('refused');
      expect(await world.backend.write(terminal, text, { withEnter: true })).toBe('written');
      const whole = Buffer.concat([text, Buffer.from('\r')]);
      await world.untilScreen(terminal, `${whole.length} ${digest(whole)}`);
    });
  } else {
    check('text and Enter are never one write: nothing is typed', async (world) => {
      const terminal = await world.launchUntil('ready', ['sh', '-c', 'echo ready; exec cat']);
      const written = await world.backend.write(terminal, Buffer.from('x'), { withEnter: true });
      expect(written).toBe('refused');
      expect(world.backend.prepare).toBeUndefined();
      await world.type(terminal, 'person\r');
      const lines = await world.untilScreen(terminal, 'person');
      expect(lines.join('\n')).not.toContain('x');
    });
  }

  check('nothing is written to a program that has ended', async (world) => {
    const terminal = await world.launch(['true']);
    await waitUntil('its end', async () => (await world.sight(terminal))?.isAlive === false);
    expect(await world.backend.write(terminal, Buffer.from('x'.repeat(100)))).toBe('gone');
  });

  check(
    'text is what was printed, with wrapped lines whole again, and a long answer is complete: 1 MB in tmux (B15, E5)',
    async (world) => {
      const long = 'w'.repeat(350);
      // Each takes two rows where a terminal is narrow.
      const count = Math.min(11_000, can.scrollback * 0.4);
      const script = `echo ${long}; i=0; while [ $i -lt ${count} ]; do echo "line $i ${'-'.repeat(85)}"; i=$((i+1)); done; echo end; exec cat`;
      const terminal = await world.launchUntil('end', ['sh', '-c', script]);
      const found = await world.backend.readText(terminal, 4_000_000);
      if (found === 'gone') throw new Error('gone');
      const lines = found.text.split('\n');
      expect(found.isPartial).toBe(false);
      expect(found.text.length).toBeGreaterThan(count * 90);
      expect(lines[0]).toBe(long);
      expect(lines).toHaveLength(count + 2);
      expect(lines.at(-2)).toContain(`line ${count - 1} `);
    },
  );

  check('text that was cut or pushed out says that it is partial (B15)', async (world) => {
    const terminal = await world.launchUntil('end', [
      'sh',
      '-c',
      'echo éééééééé; echo end; exec cat',
    ]);
    const cut = await world.backend.readText(terminal, 7);
    expect(cut).toEqual({ text: 'é\nend', isPartial: true });
    const flood = await world.launchUntil('end', ['sh', '-c', 'seq 30000; echo end; exec cat']);
    const pushed = await world.backend.readText(flood, 4_000_000);
    expect(pushed).toMatchObject({ isPartial: true });
  });

  check(
    'the command to go there names this terminal, and none is given for a strange one',
    async (world) => {
      const terminal = await world.launch(['cat']);
      const outside = world.backend.attachCommand(terminal, {});
      if (outside === 'gone') throw new Error('gone');
      expect(outside.argv).toEqual(expect.arrayContaining([...world.attachWords]));
      expect(world.backend.attachCommand({ ...terminal, pane: '%99' }, {})).toBe('gone');
    },
  );
});

function digest(bytes: Buffer): string {
  return bytes.reduce((sum, byte, i) => (sum * 31 + byte + i) % 1_000_000_007, 7).toString(16);
}
