import { expect, test } from 'vitest';
import { parseName } from './agent-name.ts';
import { nameSession } from './name-session.ts';

test.each([
  ['/home/ada/shop', 'shop', 'shop-2'],
  ['/home/ada/my shop, v2!', 'my-shop-v2', 'my-shop-v2-2'],
  ['/srv/shop.git', 'shop', 'shop-2'],
  ['/srv/shop/.bare', 'shop', 'shop-2'],
  ['/home/ada/größer', 'größer', 'größer-2'],
  ['/home/ada/???', 'project', 'project-2'],
  ['/', 'project', 'project-2'],
  // That name is for agents of no project.
  ['/home/ada/default', 'default-2', 'default-3'],
  [`/home/ada/${'x'.repeat(90)}`, 'x'.repeat(40), `${'x'.repeat(40)}-2`],
])('%s is %s, or else %s', (root, first, second) => {
  const names = nameSession(root);
  expect([names.next().value, names.next().value]).toEqual([first, second]);
  expect(parseName(first, 'session')).toBe(first);
});
