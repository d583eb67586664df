import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest begin first. Vitest knows how long a file takes only from a run
 * before, and a fresh clone has none: there the largest files begin first, and a small file that
 * waits for a minute was left to run alone at the end (40 s of 368 s of `npm test`). Nobody has to
 * keep this list exact: a slow file that is not in it only begins later.
 */
const slow = [
  'hook-crash-windows',
  'workers-end',
  'attention',
  'attention-killed.full',
  'demo',
  'retention-daemon',
  'fleet-recovery',
  'hostile-commands',
  'hostile-for-models',
  'install.full',
  'pages',
  'herdr-chaos.full',
  'herdr-composed',
  'delivery-crash-windows',
  'fleet-restart',
  'herdr-view.full',
  'natives',
  'demo-broken.full',
  'attention-desktop',
  'messages-in-terminal',
  'hooks-gone',
  'faults-damaged-rows',
  'fleet-lives',
  'workers-crash-windows',
  'update',
  'broken-answers',
];

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = new Map<string, TestSpecification[]>();
    for (const file of await super.sort(files)) {
      const { name } = file.project;
      projects.set(name, [...(projects.get(name) ?? []), file]);
    }
    return [...projects.values()].flatMap((those) => those.sort((a, b) => rank(a) - rank(b)));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const at = slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return at < 0 ? slow.length : at;
}
