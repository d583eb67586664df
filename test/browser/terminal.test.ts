import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { TerminalWish, TerminalWord } from '../../src/protocol/page.ts';
import { agentOf, snapshotOf } from '../support/page-world.ts';
import { openWindow } from './fixtures/browser.ts';
import { FakePage } from './fixtures/fake-page.ts';

test('a terminal is looked at, not typed into, until the person takes the keyboard and the server agrees', async () => {
  const { page, heard, say } = await open();
  await page.keyboard.type('nothing of this arrives');
  await page.getByRole('region', { name: 'Screen' }).click();
  await page.keyboard.type('nor this');
  expect(heard.map(({ type }) => type)).toEqual(['open']);
  await page.getByRole('button', { name: 'Type in this terminal' }).click();
  await expect.poll(() => heard.at(-1)?.type).toBe('take');
  expect(await page.getByRole('textbox').count()).toBe(0);
  say({ type: 'refused', code: 'typing', why: 'A person is typing there.' });
  await page.getByText('A person is typing there.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  say({ type: 'taken', until: new Date(Date.now() + 600_000).toISOString() });
  await page.getByRole('textbox', { name: /Keys for this terminal/ }).waitFor();
  await page.keyboard.type('ls');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Control+c');
  await expect.poll(() => keys(heard)).toBe('ls\r\u001b[A\u0003');
});

test('while the person types there, keys of the page do nothing, and Ctrl-] gives the keyboard back', async () => {
  const { page, heard, say } = await open();
  await take(page, say);
  await page.keyboard.type('2?/');
  await page.keyboard.press('Escape');
  await expect.poll(() => keys(heard)).toBe('2?/\u001b');
  expect(page.url()).toContain('#/agent/agt_lead');
  await page.keyboard.press('Control+]');
  await expect.poll(() => heard.at(-1)?.type).toBe('release');
  say({ type: 'released', why: 'You gave the keyboard back.' });
  await page.getByText('You gave the keyboard back.').waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
});

test('a paste goes in as text that sends nothing, without control characters, and what is composed goes in when it is done', async () => {
  const { page, heard, say } = await open();
  await take(page, say);
  await page.evaluate(() => {
    const field = document.querySelector('.keyboard');
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'one\u0003\r\ntwo');
    field?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  });
  await expect.poll(() => keys(heard)).toBe('\u001b[200~one\rtwo\u001b[201~');
  heard.length = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  expect(keys(heard)).toBe('');
  await session.send('Input.insertText', { text: '日本' });
  await expect.poll(() => keys(heard)).toBe('日本');
});

test.each([
  ['device attributes', '\u001b[c\u001b[>c\u001b[=c'],
  ['status and cursor reports', '\u001b[5n\u001b[6n\u001b[?6n'],
  ['modes and settings', '\u001b[?25$p\u001bP$qm\u001b\\'],
  ['colours', '\u001b]4;1;?\u0007\u001b]10;?\u0007\u001b]11;?\u001b\\'],
  ['size and title', '\u001b[14t\u001b[18t\u001b[21t'],
  ['the clipboard', '\u001b]52;c;?\u0007\u001b]52;c;cm0gLXJmIC8K\u0007'],
  ['mouse, focus and pastes', '\u001b[?1000h\u001b[?1004h\u001b[?2004h'],
  ['an answer back', '\u0005'],
])(
  'what a program prints to ask for %s gets no byte from the page, and changes nothing in it',
  async (_, printed) => {
    const { page, heard, say, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate(() => navigator.clipboard.writeText('mine'));
    await take(page, say);
    heard.length = 0;
    say({ type: 'screen', cols: 80, rows: 2, data: `before${printed}after\r\nsecond row` });
    await page.getByText('second row').waitFor();
    await page.getByRole('region', { name: 'Screen' }).hover();
    // A key that comes after it is the first thing that goes out.
    await page.keyboard.type('x');
    await expect.poll(() => heard).toEqual([{ type: 'keys', data: 'x' }]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('mine');
  },
);

test('a link in a screen leads to http alone, opens beside the page, and tells nobody where it was', async () => {
  const { page, say } = await open();
  say({
    ...{ type: 'screen', cols: 120, rows: 3 },
    data: [
      'see https://example.org/a?b=1, then javascript://x%0aalert(1)',
      '\u001b]8;;https://evil.example/\u0007harmless\u001b]8;;\u0007 file:///etc/passwd',
    ].join('\r\n'),
  });
  await page.getByText('see https').waitFor();
  const links = await page
    .locator('.screen a')
    .evaluateAll((found) =>
      found.map((link) => ['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
    );
  const rel = 'noopener noreferrer nofollow';
  expect(links).toEqual([
    ['https://example.org/a?b=1', '_blank', rel],
    [expect.any(String), '_blank', rel],
  ]);
  // A hidden address is shown where it stands, and so is what it leads to.
  expect(links[1]?.[0]).toMatch(/^https:\/\/evil\.example\//);
});

test('an agent of herdr, and a session that may only read, can be looked at alone', async () => {
  const herdr = await open({ backend: 'herdr' });
  expect(await herdr.page.getByRole('button', { name: 'Type in this terminal' }).count()).toBe(0);
  const reader = await open({ readOnly: true });
  const button = reader.page.getByRole('button', { name: 'Type in this terminal' });
  expect(await button.getAttribute('aria-disabled')).toBe('true');
  await button.dispatchEvent('click');
  await reader.page.keyboard.type('x');
  expect(reader.heard.map(({ type }) => type)).toEqual(['open']);
});

function keys(heard: readonly TerminalWish[]): string {
  return heard.flatMap((wish) => (wish.type === 'keys' ? [wish.data] : [])).join('');
}

async function take(page: Page, say: (word: TerminalWord) => void): Promise<void> {
  say({ type: 'taken', until: new Date(Date.now() + 600_000).toISOString() });
  await page.getByRole('textbox', { name: /Keys for this terminal/ }).waitFor();
}

/** An agent's page whose terminal is the test's own. */
async function open({ backend = 'tmux', readOnly = false } = {}) {
  const fake = new FakePage();
  fake.snapshot = snapshotOf({ readOnly, agents: [agentOf('lead', { backend })] });
  await fake.open();
  onTestFinished(() => fake.close());
  const { page, context } = await openWindow();
  const heard: TerminalWish[] = [];
  let socket: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/page\/terminal$/, (route) => {
    socket = route;
    route.onMessage((text) => heard.push(JSON.parse(String(text)) as TerminalWish));
  });
  const say = (word: TerminalWord): void => socket?.send(JSON.stringify(word));
  await page.goto(fake.link);
  await page.getByText('live', { exact: true }).waitFor();
  await page.evaluate(() => {
    location.hash = '#/agent/agt_lead';
  });
  await expect.poll(() => heard.length).toBe(1);
  say({ type: 'screen', cols: 80, rows: 24, data: 'its screen', cursor: { x: 0, y: 1 } });
  await page.getByText('its screen').waitFor();
  return { page, context, heard, say };
}
