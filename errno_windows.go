package recourse

import "syscall"

// Windows returns numbers of its own:
// https://learn.microsoft.com/windows/win32/debug/system-error-codes and
// https://learn.microsoft.com/windows/win32/winsock/windows-sockets-error-codes-2.
var nativeErrnos = map[syscall.Errno]Error{
	2:    {Code: NotFound, Message: noFile},                             // ERROR_FILE_NOT_FOUND
	3:    {Code: NotFound, Message: noFile},                             // ERROR_PATH_NOT_FOUND
	4:    errnos[syscall.EMFILE],                                        // ERROR_TOO_MANY_OPEN_FILES
	5:    {Code: PermissionDenied},                                      // ERROR_ACCESS_DENIED
	8:    errnos[syscall.ENOMEM],                                        // ERROR_NOT_ENOUGH_MEMORY
	14:   errnos[syscall.ENOMEM],                                        // ERROR_OUTOFMEMORY
	19:   errnos[syscall.EROFS],                                         // ERROR_WRITE_PROTECT
	32:   {Code: ResourceBusy},                                          // ERROR_SHARING_VIOLATION
	33:   {Code: ResourceBusy},                                          // ERROR_LOCK_VIOLATION
	39:   errnos[syscall.ENOSPC],                                        // ERROR_HANDLE_DISK_FULL
	50:   {Code: NotSupported},                                          // ERROR_NOT_SUPPORTED
	64:   {Code: ServiceUnavailable, Message: broken, lost: true},       // ERROR_NETNAME_DELETED
	80:   {Code: DuplicateEntry, Message: fileExists},                   // ERROR_FILE_EXISTS
	109:  {Code: ServiceUnavailable, Message: broken, lost: true},       // ERROR_BROKEN_PIPE
	112:  errnos[syscall.ENOSPC],                                        // ERROR_DISK_FULL
	121:  {Code: Timeout},                                               // ERROR_SEM_TIMEOUT
	123:  {Code: InvalidArgument, Message: "A file name is not valid."}, // ERROR_INVALID_NAME
	145:  errnos[syscall.ENOTEMPTY],                                     // ERROR_DIR_NOT_EMPTY
	170:  {Code: ResourceBusy},                                          // ERROR_BUSY
	183:  {Code: DuplicateEntry, Message: fileExists},                   // ERROR_ALREADY_EXISTS
	193:  missingProgram,                                                // ERROR_BAD_EXE_FORMAT
	206:  errnos[syscall.ENAMETOOLONG],                                  // ERROR_FILENAME_EXCED_RANGE
	232:  {Code: ServiceUnavailable, Message: broken, lost: true},       // ERROR_NO_DATA
	267:  errnos[syscall.ENOTDIR],                                       // ERROR_DIRECTORY
	995:  {Code: Cancelled},                                             // ERROR_OPERATION_ABORTED
	1231: errnos[syscall.EHOSTUNREACH],                                  // ERROR_NETWORK_UNREACHABLE
	1314: {Code: PermissionDenied},                                      // ERROR_PRIVILEGE_NOT_HELD

	10013: {Code: PermissionDenied},      // WSAEACCES
	10024: errnos[syscall.EMFILE],        // WSAEMFILE
	10048: errnos[syscall.EADDRINUSE],    // WSAEADDRINUSE
	10049: errnos[syscall.EADDRNOTAVAIL], // WSAEADDRNOTAVAIL
	10050: errnos[syscall.ENETDOWN],      // WSAENETDOWN
	10051: errnos[syscall.ENETUNREACH],   // WSAENETUNREACH
	10052: errnos[syscall.ENETRESET],     // WSAENETRESET
	10053: errnos[syscall.ECONNABORTED],  // WSAECONNABORTED
	10054: errnos[syscall.ECONNRESET],    // WSAECONNRESET
	10055: errnos[syscall.ENOBUFS],       // WSAENOBUFS
	10057: errnos[syscall.ENOTCONN],      // WSAENOTCONN
	10058: errnos[syscall.ESHUTDOWN],     // WSAESHUTDOWN
	10060: errnos[syscall.ETIMEDOUT],     // WSAETIMEDOUT
	10061: errnos[syscall.ECONNREFUSED],  // WSAECONNREFUSED
	10064: errnos[syscall.EHOSTDOWN],     // WSAEHOSTDOWN
	10065: errnos[syscall.EHOSTUNREACH],  // WSAEHOSTUNREACH
}
