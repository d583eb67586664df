import { expect, test } from 'vitest';
import { fullRole, launchRequest, toolServer } from '../../test/support/launch-request.ts';
import { provider as generic } from './generic/provider.ts';
import { noteLacks } from './lacks.ts';

const everything = ['mcpServers', 'tools', 'tools', 'permission', 'instructions'] as const;

test('of what a start cannot give, what was asked for is said, once', () => {
  expect(noteLacks({ role: {}, tools: undefined }, everything)).toEqual({});
  expect(
    noteLacks({ role: { mcpServers: {}, allowedTools: [] }, tools: undefined }, everything),
  ).toEqual({});
  expect(noteLacks({ role: fullRole, tools: toolServer }, everything)).toEqual({
    lacks: ['tools', 'instructions', 'mcpServers'],
  });
  expect(noteLacks({ role: { permissionMode: 'x' }, tools: undefined }, everything)).toEqual({
    lacks: ['permission'],
  });
  const remote = { role: { hasRemoteApprovals: true }, tools: undefined };
  expect(noteLacks(remote, ['approvals'])).toEqual({ lacks: ['approvals'] });
});

test('any program is started without tools, and a role is lost on it', () => {
  const { lacks, files, env } = generic.planLaunch(
    launchRequest({ tools: toolServer, role: fullRole }),
  );
  expect({ files, env }).toEqual({ files: [], env: {} });
  expect(lacks).toEqual(['instructions', 'allowedTools', 'mcpServers']);
  expect(generic.planLaunch(launchRequest({ tools: toolServer }))).not.toHaveProperty('lacks');
});
