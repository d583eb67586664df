import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { giveAnswers } from './fixtures/answers.ts';
import { type Look, openWindow } from './fixtures/browser.ts';
import { busyFleet } from './fixtures/busy-fleet.ts';
import { FakePage } from './fixtures/fake-page.ts';
import { claudeScreen } from './fixtures/screens.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Where pictures of the views go, for people to look at; none are made without it. */
const shots = process.env['DASHBOARD_SHOTS'];

const looks: readonly (readonly [string, Look])[] = [
  ['light', {}],
  ['dark', { dark: true }],
  ['narrow', { width: 390, height: 844 }],
  ['narrow dark', { width: 390, height: 844, dark: true }],
  ['at 200 %', { zoom: 2 }],
];

const views: readonly (readonly [string, string, string])[] = [
  ['fleet', '#/fleet', 'checkout'],
  ['line', '#/line', 'Roll back release 41.'],
  ['story', '#/line~msg_3', 'It waits: it waits for a person'],
  ['agent', '#/agent/agt_checkout', 'npm publish --dry-run'],
  ['attention', '#/attention', 'Which of the two tax rules'],
  ['compose', '#/compose/agt_checkout', 'it waits for you'],
  ['health', '#/health', '2.1.325'],
];

test.each(looks)(
  'every view has no serious finding of axe, and the policy refuses nothing: %s',
  async (name, look) => {
    const fake = new FakePage();
    fake.snapshot = busyFleet();
    giveAnswers(fake);
    await fake.open();
    onTestFinished(() => fake.close());
    const { page, complaints, elsewhere } = await openWindow(look);
    await page.routeWebSocket(/\/page\/terminal$/, (socket) => {
      socket.onMessage(() => socket.send(JSON.stringify(claudeScreen)));
    });
    await page.goto(fake.link);
    for (const [view, fragment, words] of views) {
      await page.evaluate((to) => {
        location.hash = to;
      }, fragment);
      await page.getByText(words).first().waitFor();
      expect(await findSerious(page), view).toEqual([]);
      expect(await overflow(page), `${view} is wider than its window`).toBe(0);
      await keep(page, `${view} ${name}`);
    }
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  },
);

/** How far a person would have to scroll sideways to read all of it. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return Math.max(0, scrollWidth - clientWidth);
  });
}

async function findSerious(page: Page): Promise<readonly string[]> {
  // The page's policy lets no script of another origin in; the test's own is none of the page.
  await page.evaluate(await axeSource());
  const found = await page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await tool.run(document, { resultTypes: ['violations'] });
    return violations.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => ({
        impact,
        told: `${id}: ${html} ${failureSummary}`,
      })),
    );
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ told }) => told);
}

async function axeSource(): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(axe, 'utf8');
}

async function keep(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name.replaceAll(/[^a-z0-9]+/g, '-')}.png`) });
}
