export { REASONS, type Reason } from '@parley/contract/token-reasons';
