import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawScreen } from './picture/draw-screen.ts';
import { readSvg } from './support/read-svg.ts';

const caption = { title: 'a <title> & more', note: 'a note', description: 'what is shown' };

test('a screen becomes texts that stand at their columns, with their colours', () => {
  const screen =
    '\u001b[1mlead\u001b[0m  \u001b[34mbusy\u001b[39m\n\n  \u001b[2m<a & b>\u001b[0m\n\n';
  const [title, note, lead, busy, dim, ...more] = readSvg(drawScreen(screen, 20, caption));
  expect(title).toMatchObject({ text: 'a <title> & more' });
  expect(note).toMatchObject({ text: 'a note', y: title?.y });
  expect(lead).toMatchObject({ text: 'lead', kind: 'bold' });
  expect(busy).toMatchObject({ text: 'busy', kind: 'blue', y: lead?.y });
  expect(dim).toMatchObject({ text: '<a & b>', kind: 'dim' });
  expect(more).toEqual([]);
  // Six columns, and two; two rows.
  const width = ((busy?.x ?? 0) - (lead?.x ?? 0)) / 6;
  expect(((dim?.x ?? 0) - (lead?.x ?? 0)) / 2).toBeCloseTo(width, 0);
  expect(((dim?.y ?? 0) - (lead?.y ?? 0)) / 2).toBeGreaterThan(10);
});

test('colours that tmux carries over the end of a line are carried over here', () => {
  const texts = readSvg(drawScreen('\u001b[31mone\ntwo\u001b[39m three', 20, caption));
  expect(texts.slice(2).map(({ text, kind }) => `${text} ${kind}`)).toEqual([
    'one red',
    'two red',
    'three ',
  ]);
});

test('the reader of a picture refuses what is no picture', () => {
  for (const wrong of [
    '<svg><text>a</svg>',
    '<svg><text>a & b</text></svg>',
    '<svg><text>a</text></svg><p>',
    '<svg><image href="https://example.com/a.png"/></svg>',
    '<svg><style>@import "a.css";</style></svg>',
  ]) {
    expect(() => readSvg(wrong), wrong).toThrow();
  }
});

test('the picture of the README shows a team at work, in light and dark', () => {
  const svg = readFileSync('docs/team.svg', 'utf8');
  const texts = readSvg(svg).map(({ text }) => text);
  for (const word of ['supervisor', 'worker-1', 'worker-4', 'processing']) {
    expect(texts.filter((text) => text.includes(word)).length, word).toBeGreaterThan(0);
  }
  expect(texts.slice(0, 2)).toEqual(['signalbox demo', 'scripted agents, no model']);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/\/(?:tmp|home|root|work)\//);
  expect(readFileSync('README.md', 'utf8')).toContain('(docs/team.svg)');
});
