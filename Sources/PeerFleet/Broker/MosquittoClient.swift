// One attempt to connect to a broker with libmosquitto, and the connection that comes of it.
import CMosquitto
import Glibc

/// An MQTT 5 connection through libmosquitto, used on one thread only.
///
/// A new connection has a new client, because libmosquitto would send unacknowledged messages of
/// the former connection again, after newer ones.
@safe final class MosquittoClient {
    /// The maximum number of published messages that are not acknowledged. libmosquitto numbers
    /// messages with 16 bits, and does not check whether a number is in use.
    private static let greatestUnacknowledged = 1_000

    /// The factor of the greatest packet to the greatest payload. Of a message between the two the topic is
    /// known; a larger one is not delivered by the broker, or takes much memory.
    private static let packetFactor = 16

    private static let library = mosquitto_lib_init()

    private let handle: OpaquePointer
    private let options: ConnectionOptions
    private let isSecure: Bool
    private let hasCertificate: Bool
    private let receive: (BrokerEvent) -> Void
    private var tokens: [Int32: Int] = [:]
    private var filters: [Int32: String] = [:]
    private var reported: BrokerLoss?  // by the broker
    private var logged: String?  // the first error that libmosquitto logged

    /// Whether the broker accepted the connection.
    private(set) var isConnected = false

    /// Whether ``disconnect()`` was called.
    private(set) var isDisconnecting = false

    init(
        _ access: BrokerAccess, _ options: ConnectionOptions,
        receive: @escaping (BrokerEvent) -> Void
    ) throws(BrokerLoss) {
        guard mosquitto_is_installed() else {
            throw .refused("libmosquitto is not installed; install libmosquitto1")
        }
        _ = MosquittoClient.library
        guard let handle = unsafe mosquitto_new(options.clientID, true, nil) else {
            throw .refused("the client identifier is not valid")
        }
        unsafe self.handle = handle
        (self.options, self.receive) = (options, receive)
        (isSecure, hasCertificate) = (access.url.isSecure, access.certificate != nil)
        unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        setCallbacks()
        try configure(access)
    }

    deinit { unsafe mosquitto_destroy(handle) }

    private func configure(_ access: BrokerAccess) throws(BrokerLoss) {
        unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        unsafe mosquitto_int_option(handle, MOSQ_OPT_RECEIVE_MAXIMUM, 65_535)
        unsafe mosquitto_int_option(handle, MOSQ_OPT_SEND_MAXIMUM, 65_535)
        unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        if let user = access.url.user {
            try check(unsafe mosquitto_username_pw_set(handle, user, access.password))
        }
        if let will = options.will {
            try check(
                unsafe mosquitto_will_set_v5(
                    handle, will.topic, Int32(will.payload.count), will.payload, 1, true, nil))
        }
        guard access.url.isSecure else { return }
        if access.caFile == nil {
            unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
        }
        // Without a callback for the password of a key, OpenSSL would ask for it on the terminal.
        let code = unsafe mosquitto_tls_set(
            handle, access.caFile, access.caFile == nil ? "/etc/ssl/certs" : nil,
            access.certificate, access.key, { _, _, _, _ in 0 })
        if code != 0 { throw .refused("the TLS files cannot be read") }
        try check(unsafe mosquitto_tls_opts_set(handle, 1, nil, nil))  // 1 is SSL_VERIFY_PEER
    }

    private func setCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle) { _, context, code, _, _ in
            unsafe MosquittoClient.of(context)?.handleConnection(code)
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
            unsafe MosquittoClient.of(context)?.handleDisconnection(code)
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { _, context, number, code, _ in
            unsafe MosquittoClient.of(context)?.handleAcknowledgement(number, code)
        }
        unsafe mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
            guard let message = unsafe message?.pointee else { return }
            unsafe MosquittoClient.of(context)?.handleMessage(message)
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { _, context, number, count, codes, _ in
            let code = unsafe count > 0 ? codes?.pointee : nil
            unsafe MosquittoClient.of(context)?.handleSubscription(number, code ?? 0)
        }
        unsafe mosquitto_unsubscribe_v5_callback_set(handle) { _, context, number, _ in
            unsafe MosquittoClient.of(context)?.handleUnsubscription(number)
        }
        unsafe mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
            unsafe MosquittoClient.of(context)?.handleLog(String(cString: text))
        }
    }

    /// Returns the client behind a callback's `userdata`, which lives during all calls of libmosquitto.
    private static func of(_ context: UnsafeMutableRawPointer?) -> MosquittoClient? {
        unsafe context.map {
            unsafe Unmanaged<MosquittoClient>.fromOpaque($0).takeUnretainedValue()
        }
    }
}

// The connection.
extension MosquittoClient {
    /// The socket, or -1.
    var socket: Int32 { unsafe mosquitto_socket(handle) }

    /// Whether bytes wait until the socket can be written.
    var wantsWrite: Bool { unsafe mosquitto_want_write(handle) }

    /// The reason why the socket is closed.
    var loss: BrokerLoss { reported ?? .lost("the broker closed the connection") }

    /// Begins to connect, and does not wait for the broker.
    func connect(to url: BrokerURL, from address: String?) throws(BrokerLoss) {
        let port = Int32(url.port)
        // `mosquitto_connect_bind_async` takes no properties, but uses the properties of an earlier call,
        // stored before its keep-alive of 1 second is refused.
        var properties: OpaquePointer?
        unsafe mosquitto_property_add_int32(
            &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue),
            UInt32(options.greatestPayload * MosquittoClient.packetFactor))
        unsafe mosquitto_connect_bind_v5(handle, url.host, port, 1, nil, properties)
        unsafe mosquitto_property_free_all(&properties)
        let keepAlive = Int32(options.keepAlive.components.seconds)
        try check(
            unsafe mosquitto_connect_bind_async(handle, url.host, port, max(5, keepAlive), address))
    }

    /// Reads packets, but not for long.
    func read() throws(BrokerLoss) {
        for _ in 0..<64 {
            errno = 0
            let code = unsafe mosquitto_loop_read(handle, 1)
            let isDrained = errno == EAGAIN
            try check(code)
            if isDrained || socket < 0 { return }
        }
    }

    func write() throws(BrokerLoss) { try check(unsafe mosquitto_loop_write(handle, 1)) }

    /// Sends a ping if it is time, and closes the connection if the last one was not answered.
    func keepAlive() throws(BrokerLoss) { try check(unsafe mosquitto_loop_misc(handle)) }

    /// Tells the broker that the connection ends, which discards the will.
    func disconnect() {
        isDisconnecting = true
        unsafe mosquitto_disconnect_v5(handle, 0, nil)
    }

    /// The likely reason why a broker closes a new connection of TLS: the reset of the connection may overtake
    /// the alert that states the reason.
    private var certificateHint: String {
        isSecure && !isConnected && !hasCertificate
            ? "; the broker may require a client certificate" : ""
    }

    private func check(_ code: Int32) throws(BrokerLoss) {
        let systemError = errno
        switch code {
        case MOSQ_ERR_SUCCESS.rawValue: return
        case _ where reported != nil: throw loss
        case MOSQ_ERR_TLS.rawValue:
            throw .refused("TLS: " + (logged ?? "the handshake failed"))
        case MOSQ_ERR_ERRNO.rawValue where systemError == EPROTO && isConnected:
            throw .lost("TLS: " + (logged ?? "the connection failed"))
        case MOSQ_ERR_ERRNO.rawValue where systemError == EPROTO:
            throw .refused("TLS: " + (logged ?? "the connection failed" + certificateHint))
        case MOSQ_ERR_ERRNO.rawValue:
            let hint = systemError == ECONNRESET ? certificateHint : ""
            throw .lost(BrokerReason.system(systemError) + hint)
        case MOSQ_ERR_KEEPALIVE.rawValue:
            throw .lost("no answer for \(options.keepAlive.components.seconds) seconds")
        case MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_NO_CONN.rawValue:
            // After an alert of TLS, libmosquitto reports the end of the connection only.
            if let logged, !isConnected, logged.contains(" alert ") {
                throw .refused("TLS: " + logged)
            }
            throw loss
        default:
            throw .lost(BrokerReason.library(code))
        }
    }
}

// Commands.
extension MosquittoClient {
    /// Whether another message can be published now.
    var acceptsMessages: Bool {
        tokens.count < MosquittoClient.greatestUnacknowledged && !wantsWrite
    }

    /// Whether all published messages are acknowledged and sent.
    var isIdle: Bool { tokens.isEmpty && !wantsWrite }

    func publish(
        _ payload: [UInt8], to topic: String, retained: Bool, quality: Int, token: Int
    ) throws(BrokerLoss) {
        var number: Int32 = 0
        let code = unsafe mosquitto_publish_v5(
            handle, &number, topic, Int32(payload.count), payload, Int32(quality), retained, nil)
        if code != 0, socket < 0 || MosquittoClient.isFatal(code) { try check(code) }
        if code != 0 || quality == 0 {
            receive(.published(token, failure: code == 0 ? nil : BrokerReason.library(code)))
        } else {
            tokens[number] = token
        }
    }

    func subscribe(_ filter: String, quality: Int, sendsRetained: Bool) throws(BrokerLoss) {
        let option =
            sendsRetained ? MQTT_SUB_OPT_SEND_RETAIN_ALWAYS : MQTT_SUB_OPT_SEND_RETAIN_NEVER
        var number: Int32 = 0
        let code = unsafe mosquitto_subscribe_v5(
            handle, &number, filter, Int32(quality), Int32(option.rawValue), nil)
        if MosquittoClient.isFatal(code) { try check(code) }
        if code == 0 {
            filters[number] = filter
        } else {
            receive(.subscribed(filter: filter, failure: BrokerReason.library(code)))
        }
    }

    func unsubscribe(_ filter: String) throws(BrokerLoss) {
        var number: Int32 = 0
        let code = unsafe mosquitto_unsubscribe_v5(handle, &number, filter, nil)
        if MosquittoClient.isFatal(code) { try check(code) }
        if code == 0 {
            filters[number] = filter
        } else {
            receive(.unsubscribed(filter: filter))
        }
    }

    /// Whether the code means that the connection cannot be used any more.
    private static func isFatal(_ code: Int32) -> Bool {
        [MOSQ_ERR_ERRNO, MOSQ_ERR_CONN_LOST, MOSQ_ERR_NO_CONN, MOSQ_ERR_TLS]
            .contains { $0.rawValue == code }
    }
}

// Callbacks.
extension MosquittoClient {
    private func handleConnection(_ code: Int32) {
        if code == 0 {
            isConnected = true
            receive(.connected)
        } else {
            reported = BrokerReason.refusal(code)
        }
    }

    private func handleDisconnection(_ code: Int32) {
        // Codes below 0x80 are libmosquitto's, which the call that failed returns too.
        if code >= 0x80 { reported = reported ?? BrokerReason.refusal(code) }
    }

    private func handleAcknowledgement(_ number: Int32, _ code: Int32) {
        guard let token = tokens.removeValue(forKey: number) else { return }
        receive(.published(token, failure: code < 0x80 ? nil : BrokerReason.broker(code)))
    }

    private func handleMessage(_ message: mosquitto_message) {
        guard let topic = unsafe message.topic.map({ unsafe String(cString: $0) }) else { return }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: message.payload, count: Int(message.payloadlen))
        if bytes.count > options.greatestPayload {
            receive(.oversized(topic: topic, count: bytes.count))
        } else {
            let payload = unsafe Array(bytes)
            let isRetained = unsafe message.retain
            receive(
                .message(BrokerMessage(topic: topic, payload: payload, isRetained: isRetained)))
        }
    }

    private func handleSubscription(_ number: Int32, _ code: Int32) {
        guard let filter = filters.removeValue(forKey: number) else { return }
        let failure = code < 0x80 ? nil : BrokerReason.broker(code)
        receive(.subscribed(filter: filter, failure: failure))
    }

    private func handleUnsubscription(_ number: Int32) {
        guard let filter = filters.removeValue(forKey: number) else { return }
        receive(.unsubscribed(filter: filter))
    }

    private func handleLog(_ text: String) {
        if logged == nil { logged = BrokerReason.log(text) }
    }
}
