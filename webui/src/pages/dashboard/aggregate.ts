import type { components } from '../../generated/api';

export type Aggregate = components['schemas']['storage_aggregates'];
