import 'reflect-metadata';
import { type ModuleMetadata, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule } from '@dacapo/mcp';
import { announce } from '../announce.js';

/** Longer conversations, more listeners and longer pages than the defaults allow are measured. */
const LIMITS = { rounds: 100, listeners: 2_000, page: 1_000 };

/** Serves providers on the adapter that the command line names, as an application would. */
export async function serve(providers: NonNullable<ModuleMetadata['providers']>): Promise<void> {
  @Module({
    imports: [
      McpModule.forRoot({
        server: { name: 'bench', version: '1.0.0' },
        replay: { secret: Buffer.alloc(32, 7).toString('base64'), maxRounds: LIMITS.rounds },
        lists: { pageSize: LIMITS.page },
        subscriptions: { maxOpen: LIMITS.listeners },
      }),
    ],
    providers,
  })
  class AppModule {}

  const begin = { wall: performance.now(), cpu: cpuMs() };
  const app = await NestFactory.create(
    AppModule,
    process.argv[2] === 'express' ? new ExpressAdapter() : new FastifyAdapter(),
    { logger: ['warn', 'error', 'fatal'] },
  );
  await app.listen(0, '127.0.0.1');
  announce({
    url: `${await app.getUrl()}/mcp`,
    boot: { wallMs: performance.now() - begin.wall, cpuMs: cpuMs() - begin.cpu },
  });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
}
