import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFolders } from '../../src/config/folders.ts';
import { openProviderShelf } from '../../src/providers/registry.ts';
import { launchRequest } from '../support/launch-request.ts';

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(ts|sh|yaml)$/.test(file) && !/\.test\.ts$|recordings\//.test(file))
  .map((file) => ({ file, text: readFileSync(join('src', file), 'utf8') }));

/** Loopback, and templates that are filled with it. */
const ownHosts = /^(localhost|127\.0\.0\.1|\[::1\]|\$\{)/;

test('O16: the source names no host but this one, so there is no model to be called', () => {
  const named = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\b(?:https?|wss?):\/\/([^\s'"`)]+)/g)].map(([, to = '']) => ({ file, to })),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter(({ to }) => !ownHosts.test(to))).toEqual([]);
});

test('O16: no dependency speaks to a model', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const names = Object.keys(dependencies);
  expect(names.length).toBeGreaterThan(0);
  expect(
    names.filter((name) => /openai|anthropic|google|genai|ollama|^ai$|@ai-sdk/.test(name)),
  ).toEqual([]);
});

/**
 * What would begin a turn at the start of a CLI, or run one and end: a prompt, or a mode without a
 * person.
 */
const promptWords = ['-p', '--print', '--prompt', '-i', '--prompt-interactive', 'exec', 'run'];

const shelf = openProviderShelf(findFolders({ SIGNALBOX_HOME: '/srv/state' }));

test.each(shelf.names)(
  'O16: %s is launched without a prompt: its first turn is somebody else’s',
  async (name) => {
    const provider = await shelf.find(name);
    for (const resume of [undefined, 'an-earlier-conversation']) {
      const { argv } = provider.planLaunch(launchRequest({ resume, epoch: resume ? 2 : 1 }));
      expect(argv.slice(1).filter((word) => promptWords.includes(word))).toEqual([]);
    }
  },
);
