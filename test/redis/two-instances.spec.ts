import { Injectable } from '@nestjs/common';
import { McpContext, McpNotifier, McpTool, McpToolContext } from '@dacapo/mcp';
import { McpRedisModule, RedisChangeBus, RedisConversationGuard } from '@dacapo/redis';
import { accept, McpTestClient } from '@dacapo/testing';
import { describeWithRedis, redisUrl, somePrefix } from '../support/redis.js';
import { startServer, type TestServer } from '../support/test-server.js';
import { callTool, errorOf, stateOf, textOf } from '../support/wire.js';

let charges = 0;

@Injectable()
class Shop {
  @McpTool({ description: 'Charges once', once: true })
  async buy(@McpContext() ctx: McpToolContext): Promise<string> {
    await ctx.confirm('Sure?', { key: 'sure' });
    charges += 1;
    return `charge ${charges}`;
  }
}

const YES = { sure: accept({ confirmed: true }) };

describeWithRedis('Two instances that share Redis', () => {
  let servers: TestServer[];

  beforeAll(async () => {
    const url = redisUrl ?? '';
    const prefix = somePrefix();
    const instance = (): Promise<TestServer> =>
      startServer({
        imports: [McpRedisModule.forRoot({ url, prefix })],
        providers: [Shop],
        mcp: {
          changeBus: { useExisting: RedisChangeBus },
          conversationGuard: { useExisting: RedisConversationGuard },
        },
      });
    servers = [await instance(), await instance()];
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.close()));
  });
  const [first, second] = [0, 1].map((index) => () => servers[index] as TestServer) as [
    () => TestServer,
    () => TestServer,
  ];

  it('play a round once, whichever it is sent to', async () => {
    const requestState = stateOf(await callTool(first().url, 'buy'));
    const answered = { requestState, inputResponses: YES };
    const [one, other] = await Promise.all([
      callTool(first().url, 'buy', {}, answered),
      callTool(second().url, 'buy', {}, answered),
    ]);
    expect(charges).toBe(1);
    const [played, refused] = one.status === 200 ? [one, other] : [other, one];
    expect(textOf(played)).toBe('charge 1');
    // The other one came while the first was under way, or after it.
    if (refused.status !== 200) {
      expect(errorOf(refused).data).toMatchObject({ reason: 'state_consumed' });
    }
    expect(textOf(await callTool(second().url, 'buy', {}, answered))).toBe('charge 1');
    expect(charges).toBe(1);
    const otherwise = { requestState, inputResponses: { sure: { action: 'decline' } } };
    expect(errorOf(await callTool(second().url, 'buy', {}, otherwise)).data).toMatchObject({
      reason: 'state_consumed',
    });
  });

  it('tell subscribers what the other one announces', async () => {
    const subscription = McpTestClient.connect(second().app).listen({ toolsListChanged: true });
    expect((await subscription.next()).method).toBe('notifications/subscriptions/acknowledged');
    const next = subscription.next();
    first().app.get(McpNotifier).toolsChanged();
    expect((await next).method).toBe('notifications/tools/list_changed');
    await subscription.close();
  });
});
