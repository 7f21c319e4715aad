export {
  AddressRefused,
  refusalOfUrl,
  resolveWithSystem,
  type GuardOptions,
  type ResolveName,
} from './address-guard.ts'
export {
  createSender,
  type IncomingAnswer,
  type OutgoingRequest,
  type Sender,
  type SenderOptions,
} from './guarded-sender.ts'
export { SendError, type SendFailure } from './send-error.ts'
