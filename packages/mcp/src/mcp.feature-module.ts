import { Module } from '@nestjs/common';

/** Says, by its one provider, which servers the handlers of the importing module belong to. */
@Module({})
export class McpFeatureModule {}
