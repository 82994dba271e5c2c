import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { readEnvironment } from './environment.js';

async function main(): Promise<void> {
  const { port, adapter, replay } = readEnvironment(process.env);
  const app = await NestFactory.create(
    AppModule.forRoot(replay),
    adapter === 'express' ? new ExpressAdapter() : new FastifyAdapter(),
    { logger: ['warn', 'error', 'fatal'] },
  );
  app.enableShutdownHooks();
  await app.listen(port, '127.0.0.1');
  console.log(`Conformance server at ${await app.getUrl()}/mcp`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
