/**
 * For React Native: records in SQLite, files by URI, pushes, and the life of the application. How to use it is described in
 * [the guide](/guides/react/#react-native).
 *
 * @module @parley/client/react-native
 */

export { followAppState, type AppStateLike } from './react-native/app-state.ts';
export { expoDatabase, opDatabase, type SqliteDatabase, type SqliteValue } from './react-native/database.ts';
export { fileFromUri, type FileOfUri } from './react-native/file.ts';
export { registerDevicePush, type DevicePushToken } from './react-native/push.ts';
export { prepareRuntime } from './react-native/runtime.ts';
export { sqliteStorage } from './react-native/sqlite.ts';
