import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { resolveLaunchTarget } from '../../src/fleet/launch-target.ts';
import { openProfileShelf } from '../../src/profiles/shelf.ts';
import { Fault } from '../../src/shared/fault.ts';
import { codes, failingFiles } from '../support/failing-files.ts';
import { tempHome } from '../support/home.ts';

vi.mock('node:fs', async (original) => {
  const { failingFiles: files } = await import('../support/failing-files.ts');
  return files.wrapSync(await original<typeof import('node:fs')>());
});

function openWorld() {
  const home = tempHome();
  const write = (path: string, name: string): string => {
    const full = join(home, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, `---\nname: ${name}\nprovider: fake\nenv: { A: b }\n---\nx\n`);
    return full;
  };
  mkdirSync(join(home, 'repo', '.git'), { recursive: true });
  const own = write('config/profiles/mine.md', 'reviewer-two');
  write('repo/.signalbox/profiles/theirs.md', 'reviewer-two');
  // What leads nowhere is not there, and hides nothing.
  symlinkSync(join(home, 'nowhere'), join(home, 'config', 'profiles', 'dangling.md'));
  const profiles = openProfileShelf({ config: join(home, 'config'), state: home });
  const launch = (name: string) =>
    resolveLaunchTarget(
      {
        ...{ profiles, defaultProvider: async () => 'fake' },
        providers: {
          names: ['fake'],
          find: async (wanted) => {
            if (wanted === 'fake') return {} as never;
            throw new Fault('provider-not-found', 'none', 'none');
          },
        },
        trust: { judge: ({ realPath: path }) => ({ outcome: 'trusted', path }) },
      },
      { name, cwd: join(home, 'repo') },
    );
  const failing = async <T>(at: string, code: (typeof codes)[number], act: () => Promise<T>) => {
    failingFiles.begin(home, { failure: { at, code } });
    const outcome = await act().catch((error: unknown) => error);
    expect(failingFiles.end().hasFailed, at).toBe(true);
    return outcome;
  };
  return { own, profiles, launch, failing };
}

test.each(codes)(
  'rules 41, 46: with %s on a profile of the user’s own, a project’s does not take its name',
  async (code) => {
    const { launch, failing } = openWorld();
    const clash = await launch('reviewer-two').catch((error: unknown) => error);
    expect(clash).toMatchObject({ code: 'not-allowed' });
    for (const at of [
      'readdirSync /config/profiles',
      'realpathSync /config/profiles/mine.md',
      'openSync /config/profiles/mine.md',
    ]) {
      const refused = await failing(at, code, () => launch('reviewer-two'));
      expect(refused, at).toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining(code),
      });
      expect(await failing(at, code, () => launch('user:reviewer-two'))).toBeInstanceOf(Fault);
      // Whoever says whose is meant needs no other.
      expect(await failing(at, code, () => launch('project:reviewer-two'))).toMatchObject({
        provider: 'fake',
      });
    }
  },
);

test.each(codes)(
  'rule 41: with %s a profile is not gone: a restart must not lose its variables',
  async (code) => {
    const { own, profiles, failing } = openWorld();
    expect(await profiles.read(own)).toMatchObject({ env: { A: 'b' } });
    for (const at of ['realpathSync', 'openSync']) {
      const refused = await failing(`${at} /config/profiles/mine.md`, code, () =>
        profiles.read(own),
      );
      expect(refused, at).toMatchObject({ code: 'config-invalid' });
    }
    // The system may fail for a moment: then it is read.
    const read = await failing('statSync /config/profiles/mine.md', code, () => profiles.read(own));
    expect(read).toMatchObject({ env: { A: 'b' } });
    expect(await profiles.read(`${own}.gone`)).toBeUndefined();
    expect(await profiles.read(`${own}/no-folder.md`)).toBeUndefined();
  },
);
