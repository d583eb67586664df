import type { LaunchRequest } from '../../src/providers/provider.ts';

/** The first life of an agent for which a person asked nothing special; `wish` says what is different. */
export function launchRequest(wish: Partial<LaunchRequest>): LaunchRequest {
  return {
    agent: { id: 'agt_1', name: 'worker' },
    epoch: 1,
    executablePath: '/bin/agent',
    version: undefined,
    cwd: '/srv/app',
    model: undefined,
    role: {},
    tools: undefined,
    extraArgs: [],
    resume: undefined,
    runFolder: '/run/agt_1-1',
    env: {},
    hookCommand: (event) => `post ${event}`,
    newConversation: 'new',
    freePort: 40_001,
    ...wish,
  };
}
