import type { INestApplication, NestApplicationOptions } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

/** The only address the demo listens on: nothing outside this machine reaches it. */
export const LOOPBACK = '127.0.0.1';

/** The application, ready to listen. */
export function createApp(options: NestApplicationOptions = {}): Promise<INestApplication> {
  // An idle connection or an open stream must not hold up a shutdown.
  return NestFactory.create(AppModule, { forceCloseConnections: true, ...options });
}
