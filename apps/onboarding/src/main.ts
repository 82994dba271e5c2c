import { Logger } from '@nestjs/common';
import { TokenSecret } from './auth/token-secret.js';
import { TokenService } from './auth/token.service.js';
import { createApp, LOOPBACK } from './create-app.js';
import { portOf } from './port.js';

const port = portOf(process.env);
const app = await createApp();
app.enableShutdownHooks([], { useProcessExit: true });
await app.listen(port, LOOPBACK);

if (app.get(TokenSecret).generated) {
  // Nobody outside could sign a token with a key that was made here.
  new Logger('Onboarding').warn(
    'ONBOARDING_TOKEN_SECRET is not set: tokens are signed with a key that dies with this process. ' +
      `To try things out, be ada@example.com for an hour: Authorization: Bearer ${await app.get(TokenService).sign('ada@example.com')}`,
  );
}
console.log(`The onboarding server listens at ${await app.getUrl()}/mcp`);
