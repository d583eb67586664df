import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { PageSnapshot } from '../../src/protocol/page.ts';
import { agentOf, messageOf, nameOf, snapshotOf, userName } from '../support/page-world.ts';
import { giveAnswers } from './fixtures/answers.ts';
import { type Look, openWindow } from './fixtures/browser.ts';
import { FakePage } from './fixtures/fake-page.ts';

const hostile =
  '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script>\u001b]0;owned\u0007 \u202eevil\u202c\u200b&lt;b&gt;';
const shown = '<U+001B>]0;owned<U+0007> <U+202E>evil<U+202C><U+200B>&lt;b&gt;';

test('the link is gone from the address at once, and no key is in it, in a cookie or in any address asked', async () => {
  const { page, fake, context } = await open({});
  expect(new URL(page.url()).hash).toBe('#/fleet');
  await page.goBack().catch(() => undefined);
  expect(page.url()).not.toContain('secret');
  expect(await context.cookies()).toEqual([]);
  const asked = fake.heard.map(({ path }) => path);
  expect(asked.filter((path) => /secret|key0/.test(path))).toEqual([]);
  const bare = fake.heard.filter(({ path }) => path.startsWith('/page/'));
  expect(bare.every(({ authorization }) => authorization === undefined)).toBe(true);
});

test('a tab that is loaded again goes on, and proves the server before it sends the key', async () => {
  const { page, fake } = await open({ agents: [agentOf('lead')] });
  fake.heard.length = 0;
  await page.reload();
  await page.getByRole('treeitem', { name: /lead/ }).waitFor();
  const order = fake.heard.map(({ path, authorization }) => [path, authorization !== undefined]);
  expect(order[0]).toEqual(['/page/prove', false]);
  expect(order[1]).toEqual(['/api/snapshot', true]);
});

test('a stranger that takes the port while the daemon is down gets no key, and the page says so', async () => {
  const { page, fake } = await open({ agents: [agentOf('lead')] });
  await fake.close();
  await page.getByText('The daemon does not answer.').waitFor();
  const stranger = new FakePage();
  stranger.isStranger = true;
  await stranger.open(fake.port);
  onTestFinished(() => stranger.close());
  await page.getByText('Another program answers at the daemon’s address').waitFor();
  expect(stranger.heard.length).toBeGreaterThan(0);
  expect(stranger.heard.every(({ authorization }) => authorization === undefined)).toBe(true);
  expect(JSON.stringify(stranger.heard)).not.toContain('key0');
  expect(new Set(stranger.heard.map(({ path }) => path))).toEqual(new Set(['/page/prove']));
});

test('a lost daemon is shown with its time, nothing can be changed meanwhile, and the page recovers by itself', async () => {
  const { page, fake } = await open({ agents: [agentOf('lead', { status: 'processing' })] });
  await page.getByRole('treeitem', { name: /lead/ }).click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await fake.close();
  await page.getByText(/shows how things stood at \d\d:\d\d:\d\d/).waitFor();
  await expect
    .poll(() => page.getByRole('button', { name: 'Stop' }).getAttribute('aria-disabled'))
    .toBe('true');
  const again = new FakePage();
  again.snapshot = snapshotOf({ agents: [agentOf('lead', { status: 'completed' })] });
  await again.open(fake.port);
  onTestFinished(() => again.close());
  await page.locator('.agent-head').getByText('completed').waitFor();
  await expect.poll(() => page.getByText('The daemon does not answer.').count()).toBe(0);
  expect(again.heard[0]?.path).toBe('/page/prove');
});

test('hostile names, texts, questions and bodies are shown as text, hidden characters by their numbers', async () => {
  const asks = { id: 'qabcdef', asks: 'command', text: hostile, decisions: ['allow'] } as const;
  const { page, complaints } = await open({
    agents: [
      agentOf('lead', { status: 'waiting', detail: hostile, question: hostile, questions: [asks] }),
    ],
    messages: [messageOf('1', { first: hostile, state: 'dead', waitsFor: hostile })],
    attention: {
      items: [
        { kind: 'question', agent: nameOf('lead'), since: now(), text: hostile, next: hostile },
      ],
    },
  });
  for (const view of ['fleet', 'line', 'attention', 'agent/agt_lead', 'line~msg_1', 'compose']) {
    await page.evaluate((to) => {
      location.hash = `#/${to}`;
    }, view);
    await page.locator('main h1').first().waitFor();
    const bad = await page.evaluate(() => {
      const text = document.body.textContent ?? '';
      return {
        injected: document.querySelectorAll('body img, body script').length,
        controls: /(?![\t\n])\p{Cc}|\p{Cf}/u.test(text),
        title: document.title,
      };
    });
    expect(bad, view).toMatchObject({ injected: 0, controls: false });
    expect(bad.title).not.toContain('owned');
  }
  await page.evaluate(() => {
    location.hash = '#/agent/agt_lead';
  });
  await page.locator('.question pre', { hasText: shown }).waitFor();
  await page.evaluate(() => {
    location.hash = '#/line~msg_1';
  });
  await page.locator('.story pre', { hasText: shown }).waitFor();
  expect(complaints).toEqual([]);
});

test('a question is answered as it was shown: its buttons do nothing for a second, and begin anew when its text changes', async () => {
  const asks = {
    id: 'qabcdef',
    asks: 'command',
    text: 'ls',
    decisions: ['allow', 'deny'],
  } as const;
  const { page, fake } = await open({
    agents: [agentOf('lead', { status: 'waiting', questions: [asks] })],
  });
  const path = 'POST /api/agents/agt_lead/questions/qabcdef';
  fake.answers.set(path, { ...{ agent: nameOf('lead'), question: 'qabcdef' }, outcome: 'taken' });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.evaluate(() => {
    location.hash = '#/agent/agt_lead';
  });
  const allow = page.getByRole('button', { name: 'Allow once' });
  const press = () => allow.dispatchEvent('click');
  await expect
    .poll(async () => {
      await page.clock.runFor(20);
      return allow.count();
    })
    .toBe(1);
  await press();
  expect(await allow.getAttribute('aria-disabled')).toBe('true');
  await page.clock.runFor(900);
  await press();
  expect(answers(fake)).toEqual([]);
  const other = { ...asks, text: 'rm -rf /' };
  const agent = agentOf('lead', { status: 'waiting', questions: [other], since: now() });
  fake.answers.set('GET /api/agents/agt_lead/questions', {
    ...{ agent: nameOf('lead'), status: 'waiting', questions: [other] },
  });
  fake.tell({ kind: 'agent', cursor: 11, agent });
  await expect
    .poll(async () => {
      await page.clock.runFor(20);
      return page.locator('.question pre').textContent();
    })
    .toBe('rm -rf /');
  await page.clock.runFor(900);
  await press();
  expect(answers(fake)).toEqual([]);
  await page.clock.runFor(1000);
  await press();
  await expect.poll(() => answers(fake)).toEqual(['{"decision":"allow"}']);
});

test('nothing moves under a pointer: new rows wait until it leaves or lets them in', async () => {
  const { page, fake } = await open({ agents: [agentOf('mia'), agentOf('zoe')] });
  await page.getByRole('treeitem', { name: /mia/ }).hover();
  fake.tell({ kind: 'agent', cursor: 11, agent: agentOf('ada', { status: 'waiting' }) });
  await page.getByRole('button', { name: '1 new: show' }).waitFor();
  expect(await names(page)).toEqual(['mia', 'zoe']);
  await page.mouse.move(640, 20);
  await expect.poll(() => names(page)).toEqual(['ada', 'mia', 'zoe']);
});

test('the selection is an agent, not a row: it stays the same when others come before it', async () => {
  const { page, fake } = await open({ agents: [agentOf('mia'), agentOf('zoe')] });
  await page.mouse.move(640, 20);
  const tree = page.getByRole('tree');
  await tree.focus();
  await page.keyboard.press('End');
  await page.getByRole('treeitem', { name: /zoe/, selected: true }).waitFor();
  fake.tell({ kind: 'agent', cursor: 11, agent: agentOf('ada', { status: 'waiting' }) });
  await page.getByRole('button', { name: '1 new: show' }).waitFor();
  await page.keyboard.press('r');
  await expect.poll(() => names(page)).toEqual(['ada', 'mia', 'zoe']);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'zoe' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Fleet' }).waitFor();
});

test('the keyboard alone leads everywhere: views, filter, rows, a message and back, and the list of keys', async () => {
  const { page } = await open({
    messages: [messageOf('1', { first: 'split it' }), messageOf('2')],
  });
  await page.keyboard.press('2');
  await page.getByRole('heading', { name: 'Line' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('split');
  await expect.poll(() => page.getByRole('option').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('complementary', { name: 'Message' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('300 agents and 10,000 messages are in the page as rows that can be seen, not more', async () => {
  const agents = Array.from({ length: 300 }, (_, i) => agentOf(`a${i}`));
  const messages = Array.from({ length: 10_000 }, (_, i) =>
    messageOf(String(i), {
      to: nameOf(`a${i % 300}`),
      state: i % 500 === 0 ? 'uncertain' : 'seen',
    }),
  );
  const { page, fake } = await open({ agents, messages });
  expect(await page.getByRole('treeitem').count()).toBeLessThan(60);
  await page.keyboard.press('2');
  await page.getByRole('option').first().waitFor();
  expect(await page.getByRole('option').count()).toBeLessThan(60);
  await page.getByRole('listbox').focus();
  await page.keyboard.press('End');
  await page.getByRole('option', { selected: true }).waitFor();
  const message = messageOf('fresh', {
    state: 'uncertain',
    createdAt: now(),
    first: 'the new one',
  });
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Line' }).click();
  await page.mouse.move(640, 20);
  fake.tell({ kind: 'message', cursor: 20_000, message: { ...message, cursor: 20_000 } });
  await page.getByRole('button', { name: 'Stuck 21' }).waitFor();
});

test('a session that may only read changes nothing: every control of the page is off', async () => {
  const { page, fake } = await open({
    readOnly: true,
    agents: [agentOf('lead', { status: 'processing' })],
    messages: [
      messageOf('1', { state: 'queued', to: userName, from: nameOf('lead') }),
      messageOf('2', { state: 'dead' }),
    ],
  });
  await page.getByText('read only').waitFor();
  for (const view of ['agent/agt_lead', 'attention', 'compose/agt_lead', 'line~msg_2']) {
    await page.evaluate((to) => {
      location.hash = `#/${to}`;
    }, view);
    const acts = page.locator('.act > .button');
    await acts.first().waitFor();
    for (const act of await acts.all()) {
      expect(await act.getAttribute('aria-disabled')).toBe('true');
      await act.dispatchEvent('click');
    }
  }
  expect(
    fake.heard.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api')),
  ).toEqual([]);
});

test('a session that is over, or a link that was used, leads back to the command', async () => {
  const { page, fake } = await open({});
  fake.isOver = true;
  await page.reload();
  await page.getByText('This session is over.').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.goto(`${fake.link}2`);
  await page.reload();
  await page.getByText(/This link was used before|This tab has no session/).waitFor();
});

function answers(fake: FakePage): readonly string[] {
  return fake.heard
    .filter(({ path, method }) => method === 'POST' && path.includes('/questions/'))
    .map(({ body }) => body);
}

async function names(page: Page): Promise<readonly string[]> {
  return page.locator('.row.agent .name').allInnerTexts();
}

function now(): string {
  return new Date().toISOString();
}

async function open(snapshot: Partial<PageSnapshot>, look?: Look) {
  const fake = new FakePage();
  fake.snapshot = snapshotOf(snapshot);
  giveAnswers(fake);
  await fake.open();
  onTestFinished(() => fake.close().catch(() => undefined));
  const opened = await openWindow(look);
  await opened.page.routeWebSocket(/\/page\/terminal$/, () => undefined);
  await opened.page.goto(fake.link);
  await opened.page.getByText('live', { exact: true }).waitFor();
  return { ...opened, fake };
}
